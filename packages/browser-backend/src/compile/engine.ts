import type { FromRunner, ProjectProblem, RunnerModule, RunnerPack, ToRunner } from '../common/messages.ts'
import { extensionOf, folderOf, joinPath, normalizePath } from '../common/projectFiles.ts'
import type { ProjectFiles } from '../common/projectFiles.ts'
import { ClassNames } from './classNames.ts'
import { compilationOf, recall } from './compilation.ts'
import type { CompilationStore, KeptModule, ProjectParts } from './compilation.ts'
import { compileModule } from './compileModule.ts'
import type { CompileContext, ForeignCompilers } from './compileModule.ts'
import { CompileError } from './errors.ts'
import type { Oxc } from './oxc.ts'
import { readProjectSettings } from './projectSettings.ts'
import type { ProjectSettings } from './projectSettings.ts'
import { pageOfModule, readPage } from './readHtml.ts'
import type { ProjectPage } from './readHtml.ts'
import { resolveImport } from './resolveImport.ts'

export interface EngineOptions {
  /** Asked for with the first file that it has to compile. */
  oxc(): Promise<Oxc>
  /** Makes or finds the pack of these dependencies. Rejects with what a person can read. */
  pack(request: { dependencies: Readonly<Record<string, string>>; specifiers: readonly string[] }): Promise<RunnerPack>
  foreign: ForeignCompilers
  /** Where it finds what an earlier visit compiled; null for nowhere. */
  store: CompilationStore | null
  /** Told what it is doing and what went wrong, for the output of the task. */
  onStatus(status: EngineStatus): void
}

export type EngineStatus =
  | { kind: 'packing'; specifiers: readonly string[] }
  | { kind: 'ready'; modules: number; milliseconds: number }
  | { kind: 'updated'; paths: readonly string[]; milliseconds: number }
  | { kind: 'problem'; problem: ProjectProblem }
  /** Something of the project is not followed here; its page runs all the same. */
  | { kind: 'notice'; text: string }

export interface RunnerPort {
  post(message: ToRunner): void
}

interface Runner {
  /** What its page has. */
  modules: Map<string, RunnerModule>
  module: string | null
  address: string
  isRunning: boolean
}

/** Settings of the project: a change of one of them means that everything may mean something else. */
const SETTINGS =
  /^\/package\.json$|\/[jt]sconfig[^/]*\.json$|^\/\.env|^\/(?:vite|postcss)\.config\.\w+$|^\/\.(?:postcssrc|browserslistrc)/
/** Characters; what is larger would hold up an edit for longer than it is good for. */
const MAX_REHEARSED = 64 * 1024
/** What a page fetches by itself; modules never come this way. */
const PAGE_ASSETS = new Set([
  '.css',
  '.js',
  '.json',
  '.svg',
  '.png',
  '.jpg',
  '.jpeg',
  '.gif',
  '.webp',
  '.avif',
  '.ico',
  '.txt',
  '.html',
  '.woff',
  '.woff2',
  '.ttf',
  '.mp3',
  '.mp4',
  '.wasm',
  '.pdf',
  '.webm',
  '.wav',
])

/** Compiles a project as its page asks for it, keeps what it has compiled, and sends what changed. */
export class Engine {
  readonly #options: EngineOptions
  readonly #files: ProjectFiles = new Map()
  /** Those that are no files of the project: scripts in pages. */
  readonly #made = new Set<string>()
  readonly #kept = new Map<string, KeptModule>()
  /** The pack that was recalled modules were compiled for; undefined before anything was looked for. */
  #recalledPack: string | null | undefined
  /** Whether something was compiled that the store does not have. */
  #hasNew = false
  readonly #classNames = new ClassNames()
  readonly #runners = new Map<RunnerPort, Runner>()
  /** Whether the pages show something that was wrong. */
  #isBroken = false
  #settings: ProjectSettings | undefined
  /** Of those that were read last: files that their names do not tell. */
  #sources: ReadonlySet<string> = new Set()
  readonly #told = new Set<string>()
  #pack: { key: string; pack: RunnerPack } | null = null
  #work: Promise<void> = Promise.resolve()
  #waiting = 0

  constructor(options: EngineOptions) {
    this.#options = options
  }

  /** Takes in all files of the project, before the first page. */
  fill(files: Iterable<readonly [string, string | Uint8Array]>): void {
    this.#files.clear()
    for (const [path, content] of files) this.#files.set(path, content)
    this.#settings = undefined
  }

  /** A page of the project has opened. `module`: run this file instead of the page's own scripts. */
  start(port: RunnerPort, address: string, module: string | null): Promise<void> {
    this.#runners.set(port, { modules: new Map(), module, address, isRunning: false })
    return this.#do(() => this.#run(port))
  }

  /** From now on pages run this file instead of their own scripts; null for those again. They start again for it. */
  run(module: string | null): Promise<void> {
    return this.#do(async () => {
      for (const [port, runner] of this.#runners) {
        runner.module = module
        if (!runner.isRunning) {
          await this.#run(port)
          continue
        }
        runner.isRunning = false
        port.post({ type: 'reload' })
      }
    })
  }

  stop(port: RunnerPort): void {
    this.#runners.delete(port)
  }

  /** Whether this is a file of the project. */
  hasFile(path: string): boolean {
    return this.#files.has(path) && !this.#made.has(path)
  }

  receive(port: RunnerPort, message: FromRunner): void {
    const runner = this.#runners.get(port)
    if (runner && message.type === 'address') runner.address = message.path
  }

  /** These are all files now. */
  replace(files: ReadonlyMap<string, string | Uint8Array | null>): Promise<void> {
    const gone = [...this.#files.keys()].filter((path) => !files.has(path) && !this.#made.has(path))
    return this.change(new Map([...gone.map((path) => [path, null] as const), ...files]))
  }

  /** Files changed, all of them at once; null for one that is gone. */
  change(changes: ReadonlyMap<string, string | Uint8Array | null>): Promise<void> {
    let hasOtherFiles = false
    const changed: string[] = []
    for (const [path, content] of changes) {
      if (isSameContent(content, this.#files.get(path))) continue
      hasOtherFiles ||= content === null || !this.#files.has(path)
      if (content === null) this.#files.delete(path)
      else this.#files.set(path, content)
      changed.push(path)
    }
    if (changed.length === 0) return this.#work
    return this.#do(() => this.#update(changed, hasOtherFiles))
  }

  /** Keeps what is compiled for the next visit. Does nothing while there is work: what is compiled may not be of the files that there are. */
  async keep(): Promise<void> {
    const { store } = this.#options
    if (!store || !this.#hasNew || this.#waiting > 0) return
    this.#hasNew = false
    const current = [...this.#kept.values()].filter(({ module: { id }, content }) => this.#contentOf(id) === content)
    await store.write(await compilationOf(current, this.#parts(), this.#pack?.pack.id ?? null))
  }

  /** Compiles the largest script of usual size once more and does nothing with it. False where there is none, and while there is work. */
  async rehearse(): Promise<boolean> {
    if (this.#waiting > 0) return false
    let largest: { id: string; length: number } | undefined
    for (const { module, content } of this.#kept.values()) {
      const { length } = content
      if (typeof content !== 'string' || length > MAX_REHEARSED || length <= (largest?.length ?? 0)) continue
      // Others are compiled by packages of the project, or are none; and what has changed may be wrong.
      if (/\.[jt]sx?$/.test(module.id) && this.#files.get(module.id) === content) largest = { id: module.id, length }
    }
    if (!largest || this.#readSettings().jsxImportSource === 'solid-js') return false
    await compileModule(largest.id, this.#context())
    return true
  }

  #context(): CompileContext {
    const { oxc, foreign } = this.#options
    return { oxc, files: this.#files, settings: this.#readSettings(), foreign, classNames: this.#classNames }
  }

  /** One thing after the other: what is sent is always about the latest files. */
  #do(work: () => Promise<void>): Promise<void> {
    this.#waiting += 1
    this.#work = this.#work
      .then(work)
      .catch((error: unknown) => this.#report(error))
      .finally(() => (this.#waiting -= 1))
    return this.#work
  }

  #report(error: unknown): void {
    const problem = problemOf(error)
    this.#isBroken = true
    this.#options.onStatus({ kind: 'problem', problem })
    for (const port of this.#runners.keys()) port.post({ type: 'problem', problem })
  }

  async #run(port: RunnerPort): Promise<void> {
    const runner = this.#runners.get(port)
    if (!runner) return
    const started = performance.now()
    const settings = this.#readSettings()
    const page =
      runner.module === null
        ? readPage(this.#files, runner.address, settings.main)
        : pageOfModule(this.#files, runner.module, settings.main)
    const entries = this.#entriesOf(page, settings)
    await this.#recall()
    let { modules, specifiers } = await this.#collect(entries)
    let pack = await this.#provide(settings, specifiers)
    if (this.#recalledPack && this.#recalledPack !== pack?.id) {
      // Compilers of frameworks are packages too, and go with what they have compiled.
      this.#kept.clear()
      ;({ modules, specifiers } = await this.#collect(entries))
      pack = await this.#provide(settings, specifiers)
    }
    this.#recalledPack = null
    runner.modules = modules
    runner.isRunning = true
    port.post({
      type: 'run',
      html: page.html,
      entries,
      modules: [...modules.values()],
      pack,
      env: settings.env,
      assets: this.#assets(this.#files.keys()),
    })
    this.#options.onStatus({ kind: 'ready', modules: modules.size, milliseconds: performance.now() - started })
  }

  #readSettings(): ProjectSettings {
    if (this.#settings) return this.#settings
    const settings = readProjectSettings(this.#files)
    this.#settings = settings
    this.#sources = new Set(settings.sources)
    for (const text of settings.notices) {
      if (this.#told.has(text)) continue
      this.#told.add(text)
      this.#options.onStatus({ kind: 'notice', text })
    }
    return settings
  }

  #isSettings(path: string): boolean {
    return SETTINGS.test(path) || this.#sources.has(path)
  }

  #entriesOf(page: ProjectPage, settings: ProjectSettings): string[] {
    const from = page.path ?? '/index.html'
    const entries = page.scripts.flatMap((script) => {
      const spelled = /^[./]/.test(script) ? script : `./${script}`
      const found = resolveImport(/^[a-z]+:/i.test(script) ? script : spelled, from, this.#files, settings.aliases)
      if (!found) throw new CompileError({ message: `${script} is not there`, file: page.path })
      return found.kind === 'file' ? [found.id] : []
    })
    page.inline.forEach((text, index) => {
      const id = `${from}.inline${index}.js`
      this.#files.set(id, text)
      this.#made.add(id)
      entries.push(id)
    })
    return entries
  }

  /** Takes over what an earlier visit compiled, as far as it is made of the same. */
  async #recall(): Promise<void> {
    const { store } = this.#options
    if (!store || this.#recalledPack !== undefined) return
    const found = await recall(await store.read(), this.#parts(), (path) => this.#files.get(path))
    this.#recalledPack = found?.pack ?? null
    for (const module of found?.modules ?? []) this.#kept.set(module.module.id, module)
  }

  #parts(): ProjectParts {
    return {
      names: [...this.#files.keys()].filter((path) => !this.#made.has(path)),
      settings: new Map([...this.#files].filter(([path]) => this.#isSettings(path))),
    }
  }

  #contentOf(id: string): string | Uint8Array | undefined {
    return this.#files.get(id.split('?', 1)[0]!)
  }

  /** Everything that these modules import, compiled. */
  async #collect(entries: readonly string[]): Promise<{ modules: Map<string, RunnerModule>; specifiers: string[] }> {
    const modules = new Map<string, RunnerModule>()
    const specifiers = new Set<string>()
    const waiting = [...entries]
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (modules.has(id)) continue
      const module = await this.#compile(id)
      modules.set(id, module)
      for (const meaning of Object.values(module.imports)) {
        if ('module' in meaning) waiting.push(meaning.module)
        else specifiers.add(meaning.packed)
      }
      waiting.push(...Object.values(module.workers))
    }
    return { modules, specifiers: [...specifiers].toSorted() }
  }

  async #compile(id: string): Promise<RunnerModule> {
    const path = id.split('?', 1)[0]!
    const content = this.#files.get(path)
    const kept = this.#kept.get(id)
    if (kept && kept.content === content && this.#isMadeOfSame(kept)) return kept.module
    const settings = this.#readSettings()
    const { code, imports, includes = [], workers = [] } = await compileModule(id, this.#context())
    const meanings: Record<string, RunnerModule['imports'][string]> = {}
    for (const specifier of imports) {
      const found = resolveImport(specifier, id, this.#files, settings.aliases)
      if (!found) {
        throw new CompileError({
          message: `"${specifier}" is not there. Check the path and the name of the file.`,
          ...placeOf(specifier, path, content),
        })
      }
      if (found.kind === 'file') meanings[specifier] = { module: found.id }
      if (found.kind === 'package') {
        requireDeclared(found.specifier, settings, placeOf(specifier, path, content))
        meanings[specifier] = { packed: found.specifier }
      }
    }
    const started: Record<string, string> = {}
    for (const script of workers) {
      const spelled = /^[./]/.test(script) ? script : `./${script}`
      const found = resolveImport(spelled, id, this.#files, settings.aliases)
      if (found?.kind !== 'file') {
        throw new CompileError({
          message: `The worker "${script}" is not there. Check the path and the name of the file.`,
          ...placeOf(script, path, content),
        })
      }
      started[script.startsWith('/') ? normalizePath(script) : joinPath(folderOf(path), script)] = found.id
    }
    const module: RunnerModule = { id, code, imports: meanings, workers: started }
    if (content !== undefined) {
      const parts = new Map(includes.map((include) => [include, this.#files.get(include)]))
      this.#kept.set(id, { content, module, includes: parts })
      this.#hasNew = true
    }
    return module
  }

  #isMadeOfSame({ includes }: KeptModule): boolean {
    for (const [path, content] of includes) if (this.#files.get(path) !== content) return false
    return true
  }

  /** Those of these modules that are made of one of the files. */
  #madeOf(paths: readonly string[], modules: ReadonlyMap<string, RunnerModule>): string[] {
    const isChanged = (path: string) => paths.includes(path)
    return [...modules.keys()].filter(
      (id) => isChanged(id.split('?', 1)[0]!) || [...(this.#kept.get(id)?.includes.keys() ?? [])].some(isChanged),
    )
  }

  async #provide(settings: ProjectSettings, specifiers: readonly string[]): Promise<RunnerPack | null> {
    if (specifiers.length === 0) return null
    const key = JSON.stringify([settings.dependencies, specifiers])
    if (this.#pack?.key === key) return this.#pack.pack
    this.#options.onStatus({ kind: 'packing', specifiers })
    const pack = await this.#options.pack({ dependencies: settings.dependencies, specifiers })
    this.#pack = { key, pack }
    return pack
  }

  async #update(paths: readonly string[], hasOtherFiles: boolean): Promise<void> {
    const started = performance.now()
    const isPage = paths.some((path) => path.endsWith('.html'))
    const isSettings = paths.some((path) => this.#isSettings(path))
    if (isSettings) this.#settings = undefined
    // Names may mean other files now, and what a file is made of may be in others.
    if (isSettings || hasOtherFiles) this.#kept.clear()
    for (const [port, runner] of this.#runners) {
      if (
        !runner.isRunning ||
        isSettings ||
        isPage ||
        hasOtherFiles ||
        (await this.#needsReload(paths, runner.modules))
      ) {
        // The page starts again, and asks for everything.
        if (runner.isRunning) {
          runner.isRunning = false
          port.post({ type: 'reload' })
        } else {
          await this.#run(port)
        }
        continue
      }
      const ids = this.#madeOf(paths, runner.modules)
      const { modules } = await this.#collect(ids)
      const fresh = [...modules.values()].filter((module) => !isSame(module, runner.modules.get(module.id)))
      for (const module of fresh) runner.modules.set(module.id, module)
      const hasAssets = paths.some((path) => PAGE_ASSETS.has(extensionOf(path)))
      if (fresh.length === 0 && !hasAssets && !this.#isBroken) continue
      port.post({ type: 'update', modules: fresh, assets: this.#assets(paths) })
    }
    this.#isBroken = false
    this.#options.onStatus({ kind: 'updated', paths, milliseconds: performance.now() - started })
  }

  /** Whether the change imports something that the page's pack does not have, or is in a script that the page runs by itself. */
  async #needsReload(paths: readonly string[], modules: ReadonlyMap<string, RunnerModule>): Promise<boolean> {
    const own = new Set([...modules.keys()].map((id) => id.split('?', 1)[0]!))
    if (paths.some((path) => extensionOf(path) === '.js' && !own.has(path))) return true
    const { specifiers } = await this.#collect(this.#madeOf(paths, modules))
    return specifiers.some((specifier) => !(specifier in (this.#pack?.pack.imports ?? {})))
  }

  #assets(paths: Iterable<string>): Map<string, string | Uint8Array> {
    const assets = new Map<string, string | Uint8Array>()
    const folder = `${this.#readSettings().publicDir}/`
    for (const path of paths) {
      const content = this.#files.get(path)
      if (content === undefined || !PAGE_ASSETS.has(extensionOf(path)) || this.#isSettings(path)) continue
      assets.set(path, content)
      // The page knows them by the name that this folder has in most projects.
      if (path.startsWith(folder)) assets.set(`/public/${path.slice(folder.length)}`, content)
    }
    return assets
  }
}

function isSameContent(content: string | Uint8Array | null, before: string | Uint8Array | undefined): boolean {
  if (!(content instanceof Uint8Array) || !(before instanceof Uint8Array)) return content === before
  return content.length === before.length && content.every((byte, index) => byte === before[index])
}

/** A change of what a module is made of may leave it as it was. */
function isSame(module: RunnerModule, before: RunnerModule | undefined): boolean {
  if (module === before) return true
  // Most changes are in the code, and to write it all out takes longer than to find that.
  return module.code === before?.code && JSON.stringify(module) === JSON.stringify(before)
}

function requireDeclared(specifier: string, settings: ProjectSettings, place: Partial<ProjectProblem>): void {
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
  if (name in settings.dependencies) return
  throw new CompileError({
    message: `"${name}" is imported but not among the dependencies. Add it to package.json.`,
    ...place,
  })
}

function placeOf(specifier: string, file: string, content: string | Uint8Array | undefined): Partial<ProjectProblem> {
  const offset =
    typeof content === 'string' ? Math.max(content.indexOf(`'${specifier}'`), content.indexOf(`"${specifier}"`)) : -1
  if (typeof content !== 'string' || offset < 0) return { file }
  const before = content.slice(0, offset)
  return { file, line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}

export function problemOf(error: unknown): ProjectProblem {
  if (error instanceof CompileError) return error.problem
  const message = error instanceof Error ? error.message : String(error)
  return { message, file: null, line: null, column: null, frame: null }
}

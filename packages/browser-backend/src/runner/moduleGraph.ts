import { moduleParameters } from '../common/messages.ts'
import type { RunnerModule } from '../common/messages.ts'
import { moduleCodes } from './moduleCodes.ts'
import { HotContext } from './hotContext.ts'
import type { Refresh } from './refresh.ts'

export type Namespace = Record<string, unknown>

export interface GraphOptions {
  /** Address of the page, which the addresses of modules are relative to. */
  base: string
  /** Loads a part of the pack. */
  loadPacked(specifier: string): Promise<Namespace>
  /** Shows a style sheet; null takes it away. */
  setStyle(id: string, css: string | null): void
  env: Readonly<Record<string, string | boolean>>
  refresh: Pick<Refresh, 'of' | 'isBoundary' | 'perform'>
  /** The page has to start again. */
  reload(): void
  report(error: unknown): void
}

interface Loaded {
  source: RunnerModule
  exports: Namespace
  hot: HotContext
  running: Promise<void> | null
  importers: Set<string>
  hasStyle: boolean
}

type ModuleFunction = (...given: unknown[]) => Promise<void>
const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => ModuleFunction

/** Runs the modules of a project as a browser would run them, and puts new ones in the place of old ones while the page lives. */
export class ModuleGraph {
  readonly #options: GraphOptions
  readonly #sources = new Map<string, RunnerModule>()
  readonly #workers = new Map<string, string>()
  readonly #loaded = new Map<string, Loaded>()
  /** What a module keeps for its next version, by id. */
  readonly #data = new Map<string, Record<string, unknown>>()

  constructor(options: GraphOptions) {
    this.#options = options
  }

  add(modules: readonly RunnerModule[]): void {
    for (const module of modules) {
      this.#sources.set(module.id, module)
      for (const [path, id] of Object.entries(module.workers)) this.#workers.set(path, id)
    }
  }

  /** The module that a worker with this address runs. */
  workerAt(path: string): string | undefined {
    return this.#workers.get(path)
  }

  /** A module with all that it imports, and all that workers need which it starts. */
  modulesFrom(entry: string): RunnerModule[] {
    const found = new Map<string, RunnerModule>()
    const waiting = [entry]
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const source = this.#sources.get(id)
      if (!source || found.has(id)) continue
      found.set(id, source)
      for (const meaning of Object.values(source.imports)) if ('module' in meaning) waiting.push(meaning.module)
      waiting.push(...Object.values(source.workers))
    }
    return [...found.values()]
  }

  async run(entry: string): Promise<Namespace> {
    return this.#load(entry, [], null)
  }

  /** Puts new versions in place: up to the nearest module that accepts them, or the page starts again. */
  async update(modules: readonly RunnerModule[]): Promise<void> {
    const changed = modules.filter(({ id }) => this.#loaded.has(id))
    this.add(modules)
    const boundaries = new Map<string, Set<string>>()
    const outdated = new Set<string>()
    for (const { id } of changed) {
      if (!this.#findBoundaries(id, [id], boundaries, outdated)) return this.#options.reload()
    }
    const accepted = [...boundaries].map(([id, through]) => ({ id, through, before: this.#loaded.get(id)!.hot }))
    for (const id of outdated) this.#forget(id)
    for (const { id, through, before } of accepted) {
      try {
        for (const dependency of through) {
          const exports = await this.#load(dependency, [], dependency === id ? null : id)
          before.accepted(dependency, exports)
        }
        if (through.has(id) && !this.#staysRefreshable(id, before)) return this.#options.reload()
      } catch (error) {
        this.#options.report(error)
        return
      }
    }
    this.#options.refresh.perform()
  }

  /** Walks up from a changed module. False: the top was reached and nobody accepts it. */
  #findBoundaries(
    id: string,
    chain: readonly string[],
    boundaries: Map<string, Set<string>>,
    outdated: Set<string>,
  ): boolean {
    const module = this.#loaded.get(id)
    if (!module) return true
    outdated.add(id)
    const note = (boundary: string, through: string) =>
      boundaries.set(boundary, (boundaries.get(boundary) ?? new Set()).add(through))
    if (module.hot.declined) return false
    if (module.hot.acceptsSelf || this.#options.refresh.isBoundary(module.exports, id)) {
      note(id, id)
      return true
    }
    if (module.importers.size === 0) return false
    for (const importer of module.importers) {
      if (this.#loaded.get(importer)?.hot.accepts(id)) {
        note(importer, id)
        continue
      }
      // A circle that comes back to where it began has no way up of its own.
      if (chain.includes(importer)) continue
      if (!this.#findBoundaries(importer, [...chain, importer], boundaries, outdated)) return false
    }
    return true
  }

  /** A module that fast refresh took in must go on to export components alone, or others hold what is not there anymore. */
  #staysRefreshable(id: string, before: HotContext): boolean {
    return before.acceptsSelf || this.#options.refresh.isBoundary(this.#loaded.get(id)?.exports ?? {}, id)
  }

  #forget(id: string): void {
    const module = this.#loaded.get(id)
    if (!module) return
    this.#data.set(id, module.hot.dispose())
    for (const other of this.#loaded.values()) other.importers.delete(id)
    const { importers } = module
    this.#loaded.delete(id)
    this.#importersOf.set(id, importers)
  }

  readonly #importersOf = new Map<string, Set<string>>()

  async #load(id: string, chain: readonly string[], importer: string | null): Promise<Namespace> {
    let module = this.#loaded.get(id)
    if (!module) {
      const source = this.#sources.get(id)
      if (!source) throw new Error(`${id} is not part of this page`)
      module = {
        source,
        exports: Object.create(null) as Namespace,
        hot: new HotContext(id, this.#data.get(id) ?? {}, source, () => this.#options.reload()),
        running: null,
        importers: this.#importersOf.get(id) ?? new Set(),
        hasStyle: false,
      }
      Object.defineProperty(module.exports, Symbol.toStringTag, { value: 'Module' })
      this.#loaded.set(id, module)
    }
    if (importer !== null) module.importers.add(importer)
    if (module.running === null) {
      const starting = module
      // Not at once: a circle that comes back here has to see that it runs.
      const evaluated = Promise.resolve().then(() => this.#evaluate(starting, [...chain, id]))
      module.running = evaluated.catch((error: unknown) => {
        // The next version gets another chance.
        starting.running = null
        throw error
      })
      await module.running
    } else if (!this.#isCircular(id, chain)) {
      await module.running
    }
    return module.exports
  }

  /** Whether waiting for this module would be waiting for itself. */
  #isCircular(id: string, chain: readonly string[]): boolean {
    if (chain.includes(id)) return true
    const seen = new Set<string>()
    const reaches = (from: string): boolean => {
      if (chain.includes(from)) return true
      if (seen.has(from)) return false
      seen.add(from)
      return Object.values(this.#sources.get(from)?.imports ?? {}).some(
        (meaning) => 'module' in meaning && this.#loaded.has(meaning.module) && reaches(meaning.module),
      )
    }
    return chain.length > 0 && reaches(id)
  }

  async #evaluate(module: Loaded, chain: readonly string[]): Promise<void> {
    const { source, exports, hot } = module
    const load = (specifier: string, through: readonly string[]): Promise<Namespace> => {
      const meaning = source.imports[specifier]
      if (!meaning) return import(/* @vite-ignore */ specifier) as Promise<Namespace>
      return 'module' in meaning
        ? this.#load(meaning.module, through, source.id)
        : this.#options.loadPacked(meaning.packed)
    }
    const refresh = this.#options.refresh.of(source.id)
    const given: Record<(typeof moduleParameters)[number], unknown> = {
      __vite_ssr_exports__: exports,
      __vite_ssr_import__: (specifier: string) => load(specifier, chain),
      // Nobody waits for it to go on, so it can't be part of a circle.
      __vite_ssr_dynamic_import__: (specifier: string) => load(specifier, []),
      __vite_ssr_exportAll__: (from: Namespace) => exportAll(exports, from),
      __vite_ssr_import_meta__: { url: new URL(source.id, this.#options.base).href, env: this.#options.env, hot },
      $RefreshReg$: refresh.register,
      $RefreshSig$: refresh.signature,
      __boxyard_style__: (css: string) => {
        module.hasStyle = true
        this.#options.setStyle(source.id, css)
      },
    }
    const name = new URL(source.id.split('?', 1)[0]!, this.#options.base).href
    moduleCodes.set(name, source.code)
    const body = `"use strict";${source.code}\n//# sourceURL=${name}`
    const run = new AsyncFunction(...moduleParameters, body)
    await run(...moduleParameters.map((parameter) => given[parameter]))
  }
}

function exportAll(exports: Namespace, from: Namespace): void {
  for (const key of Object.keys(from)) {
    if (key === 'default' || key in exports) continue
    Object.defineProperty(exports, key, { enumerable: true, configurable: true, get: () => from[key] })
  }
}

import { parse } from 'es-module-lexer/js'
import { moduleParameters } from '../../common/messages.ts'
import type { Oxc } from '../../compile/oxc.ts'
import { codedError } from '../nodeError.ts'
import { parentOf } from '../processFiles.ts'
import type { ProcessFiles } from '../processFiles.ts'
import { pathToFileURL } from '../modules/url.ts'
import { makeModuleClass } from './makeModuleClass.ts'
import { ModuleResolver } from './resolveModule.ts'
import type { Loose } from '../loose.ts'

export type Builtins = Readonly<Record<string, () => Loose>>
type Namespace = Record<string, Loose>

interface EsModule {
  path: string
  exports: Namespace
  /** Resolves when it and what it imports have run. */
  running: Promise<void>
}

const TYPED = /\.[cm]?ts$/
/** In a module they are under the names that the compiler gives them; those of fast refresh mean nothing here. */
const PARAMETERS = moduleParameters.slice(0, 5)

/** Runs the modules of a program: CommonJS as it is, newer ones compiled to functions. */
export class ModuleLoader {
  readonly resolver: ModuleResolver
  readonly #files: ProcessFiles
  readonly #builtins: Builtins
  readonly #loadOxc: () => Promise<Oxc>
  readonly #esModules = new Map<string, EsModule>()
  readonly #made = new Map<string, Loose>()
  /** Node's `Module`, which programs reach into. */
  readonly Module: Loose
  #oxc: Oxc | undefined
  mainPath: string | undefined

  constructor(options: { files: ProcessFiles; builtins: Builtins; loadOxc: () => Promise<Oxc> }) {
    this.#files = options.files
    this.#builtins = options.builtins
    this.#loadOxc = options.loadOxc
    this.resolver = new ModuleResolver(options.files)
    this.Module = this.#makeModule()
  }

  /** Runs what a program begins with. Resolves when its own part has run. */
  async runMain(path: string): Promise<void> {
    this.mainPath = path
    if (TYPED.test(path)) await this.#prepareOxc()
    if (this.resolver.isModule(path) ?? this.#looksLikeModule(path)) await this.import(path)
    else this.#loadCommonJs(path, null)
  }

  /** Runs a text as Node runs what stands behind `-e`. */
  runText(text: string, cwd: string): Loose {
    const path = `${cwd}/[eval]`
    const module = new this.Module(path, null)
    module.paths = []
    return this.#runCommonJs(module, path, text)
  }

  /** What the last expression of a text is. */
  valueOf(text: string, cwd: string): unknown {
    return this.runText(`module.exports = eval(${JSON.stringify(text)})`, cwd) as unknown
  }

  builtin(specifier: string): Loose | undefined {
    const name = this.#builtinName(specifier)
    if (name === undefined) {
      if (specifier.startsWith('node:'))
        throw codedError('ERR_UNKNOWN_BUILTIN_MODULE', `No such built-in module: ${specifier}`)
      return undefined
    }
    const known = this.#made.get(name) ?? this.#builtins[name]!()
    this.#made.set(name, known)
    return known
  }

  /** The namespace of a module, for `import()` too. */
  async import(path: string): Promise<Namespace> {
    if (path.endsWith('.json')) return { default: JSON.parse(this.#files.text(path)) }
    if (!(this.resolver.isModule(path) ?? this.#looksLikeModule(path))) {
      if (TYPED.test(path)) await this.#prepareOxc()
      return namespaceOf(this.#loadCommonJs(path, null).exports)
    }
    return this.#importEs(path, [])
  }

  requireFrom(folder: string, from: string): Loose {
    const resolve = (specifier: string) => {
      const request = specifier.startsWith('file:') ? decodeURIComponent(new URL(specifier).pathname) : specifier
      return this.#isBuiltin(request) ? request : this.resolver.resolve(request, folder, 'require', from)
    }
    const require = (specifier: unknown): Loose => {
      if (typeof specifier !== 'string')
        throw codedError('ERR_INVALID_ARG_TYPE', 'The "id" argument must be of type string.', TypeError)
      const builtin = this.builtin(specifier)
      if (builtin !== undefined) return builtin
      const path = resolve(specifier)
      if (this.resolver.isModule(path) === true) {
        const known = this.#esModules.get(path)
        if (known) return known.exports
        throw codedError(
          'ERR_REQUIRE_ASYNC_MODULE',
          `${path} is an ES module. In browser mode those are taken in by import or import() alone.`,
        )
      }
      return this.#loadCommonJs(path, from).exports
    }
    return Object.assign(require, {
      resolve: Object.assign(resolve, { paths: () => [] }),
      cache: this.Module._cache,
      extensions: this.Module._extensions,
      main: this.mainPath === undefined ? undefined : this.Module._cache[this.mainPath],
    })
  }

  /** Some are there with `node:` alone, and leave their name to packages. */
  #builtinName(specifier: string): string | undefined {
    return [specifier, specifier.replace(/^node:/, '')].find((name) => Object.hasOwn(this.#builtins, name))
  }

  #isBuiltin(specifier: string): boolean {
    return this.#builtinName(specifier) !== undefined
  }

  #loadCommonJs(path: string, from: string | null): Loose {
    const known = this.Module._cache[path]
    if (known) return known
    const module = new this.Module(path, from === null ? null : this.Module._cache[from])
    this.Module._cache[path] = module
    try {
      module.load(path)
    } catch (error) {
      delete this.Module._cache[path]
      throw error
    }
    return module
  }

  #runCommonJs(module: Loose, path: string, text: string): Loose {
    const source = this.#withDynamicImports(text.replace(/^#!.*/, ''))
    // On one line with the beginning, so that lines stay what they are.
    const wrapped = `(function (exports, require, module, __filename, __dirname, __boxyard_import__) {${source}\n})\n//# sourceURL=${path}`
    const folder = parentOf(path)
    // eslint-disable-next-line no-eval
    const run = (0, eval)(wrapped) as (...given: unknown[]) => void
    const require = this.requireFrom(folder, path)
    module.require = require
    const dynamic = (specifier: string) => this.#importFrom(String(specifier), folder, path)
    run.call(module.exports, module.exports, require, module, path, folder, dynamic)
    return module.exports
  }

  /** `import()` in CommonJS would ask the browser. */
  #withDynamicImports(text: string): string {
    if (!/\bimport\s*\(/.test(text)) return text
    let found: readonly { d: number; ss: number }[]
    try {
      ;[found] = parse(text)
    } catch {
      // What can't be read says so when it is run.
      return text
    }
    let out = text
    for (const { d, ss } of found.toReversed())
      if (d >= 0) out = `${out.slice(0, ss)}__boxyard_import__${out.slice(ss + 'import'.length)}`
    return out
  }

  async #importFrom(specifier: string, folder: string, from: string): Promise<Namespace> {
    const builtin = this.builtin(specifier)
    if (builtin !== undefined) return namespaceOf(builtin)
    if (specifier.startsWith('data:')) return (await import(/* @vite-ignore */ specifier)) as Namespace
    const request = specifier.startsWith('file:') ? decodeURIComponent(new URL(specifier).pathname) : specifier
    return this.import(this.resolver.resolve(request, folder, 'import', from))
  }

  async #importEs(path: string, chain: readonly string[]): Promise<Namespace> {
    const known = this.#esModules.get(path)
    if (known) {
      // A circle gives what is there already.
      if (!chain.includes(path)) await known.running
      return known.exports
    }
    const exports: Namespace = {}
    Object.defineProperty(exports, Symbol.toStringTag, { value: 'Module' })
    const module: EsModule = { path, exports, running: Promise.resolve() }
    this.#esModules.set(path, module)
    module.running = this.#runEs(module, [...chain, path])
    module.running.catch(() => undefined)
    await module.running
    return exports
  }

  async #runEs(module: EsModule, chain: readonly string[]): Promise<void> {
    const { path } = module
    const oxc = await this.#prepareOxc()
    const code = compileEs(oxc, path, this.#files.text(path))
    const folder = parentOf(path)
    const get = async (specifier: string): Promise<Namespace> => {
      const builtin = this.builtin(specifier)
      if (builtin !== undefined) return namespaceOf(builtin)
      const request = specifier.startsWith('file:') ? decodeURIComponent(new URL(specifier).pathname) : specifier
      const target = this.resolver.resolve(request, folder, 'import', path)
      return (this.resolver.isModule(target) ?? (!target.endsWith('.json') && this.#looksLikeModule(target)))
        ? this.#importEs(target, chain)
        : this.import(target)
    }
    const copy = (all: Namespace) => {
      for (const name of Object.keys(all)) {
        if (name === 'default' || Object.hasOwn(module.exports, name)) continue
        Object.defineProperty(module.exports, name, { enumerable: true, configurable: true, get: () => all[name] })
      }
    }
    const meta = {
      url: pathToFileURL(path).href,
      filename: path,
      dirname: folder,
      main: path === this.mainPath,
      env: {},
      resolve: (specifier: string) =>
        this.#isBuiltin(specifier)
          ? `node:${specifier.replace(/^node:/, '')}`
          : pathToFileURL(this.resolver.resolve(specifier, folder, 'import', path)).href,
    }
    const wrapped = `(async function (${PARAMETERS.join(', ')}) {"use strict";${code}\n})\n//# sourceURL=${path}`
    // eslint-disable-next-line no-eval
    const run = (0, eval)(wrapped) as (...given: unknown[]) => Promise<void>
    await run(
      module.exports,
      get,
      (specifier: unknown) => this.#importFrom(String(specifier), folder, path),
      copy,
      meta,
    )
  }

  async #prepareOxc(): Promise<Oxc> {
    return (this.#oxc ??= await this.#loadOxc())
  }

  /** Where the package does not say it, the text does. */
  #looksLikeModule(path: string): boolean {
    const text = this.#files.text(path)
    if (!/^\s*(?:import|export)\b|\bimport\.meta\b/m.test(text)) return false
    try {
      const [imports, exports, , hasModuleSyntax] = parse(text)
      return hasModuleSyntax ?? (exports.length > 0 || imports.some(({ d }) => d === -1 || d === -2))
    } catch {
      // TypeScript is more than the lexer reads.
      return TYPED.test(path)
    }
  }

  #makeModule(): Loose {
    return makeModuleClass({
      mainPath: () => this.mainPath,
      run: (module, path, text) => this.#runCommonJs(module, path, text),
      textOf: (path) => this.#files.text(path),
      withoutTypes: (path) => stripTypes(this.#oxc, path, this.#files.text(path)),
      requireFrom: (folder, from) => this.requireFrom(folder, from),
      resolve: (request, folder, from) => this.resolver.resolve(request, folder, 'require', from),
      builtins: Object.keys(this.#builtins),
      isBuiltin: (name) => this.#isBuiltin(name),
    })
  }
}

function stripTypes(oxc: Oxc | undefined, path: string, text: string): string {
  if (!oxc)
    throw codedError(
      'ERR_UNKNOWN_FILE_EXTENSION',
      `${path}: TypeScript is run when the program begins with it or imports it`,
    )
  const { code, errors } = oxc.transformSync(path, text, { lang: 'ts' })
  if (errors[0]) throw syntaxError(path, errors[0])
  return code
}

function compileEs(oxc: Oxc, path: string, text: string): string {
  const plain = text.replace(/^#!.*/, '')
  const script = TYPED.test(path) ? stripTypes(oxc, path, plain) : plain
  const { code, errors } = oxc.moduleRunnerTransformSync(path, script, {})
  if (errors[0]) throw syntaxError(path, errors[0])
  return code
}

function syntaxError(path: string, { message, codeframe }: { message: string; codeframe: string | null }): SyntaxError {
  const error = new SyntaxError(message)
  // Where the compiler stands is nobody's concern.
  error.stack = `${path}\n${codeframe ?? ''}\nSyntaxError: ${message}`
  return error
}

const OF_FUNCTIONS = new Set(['length', 'name', 'prototype', 'arguments', 'caller'])

/** `module.exports` as a namespace: as default, and its members by name. */
function namespaceOf(exported: Loose): Namespace {
  const isObject = (typeof exported === 'object' && exported !== null) || typeof exported === 'function'
  if (!isObject) return { default: exported, 'module.exports': exported }
  const namespace: Namespace = {}
  // A class has its methods where they can't be listed, beside what every function has.
  const names =
    typeof exported === 'function'
      ? Object.getOwnPropertyNames(exported).filter((name) => !OF_FUNCTIONS.has(name))
      : Object.keys(exported as object)
  for (const name of names)
    if (name !== 'default') Object.defineProperty(namespace, name, { enumerable: true, get: () => exported[name] })
  return Object.assign(namespace, { default: exported, 'module.exports': exported })
}

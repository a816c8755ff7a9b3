import { codedError } from '../nodeError.ts'
import { parentOf } from '../processFiles.ts'
import type { Loose } from '../loose.ts'

export interface ModuleClassOptions {
  /** The file that the program begins with. */
  mainPath(): string | undefined
  run(module: Loose, path: string, text: string): Loose
  textOf(path: string): string
  /** The text of a file of TypeScript, as JavaScript. */
  withoutTypes(path: string): string
  requireFrom(folder: string, from: string): Loose
  resolve(request: string, folder: string, from: string | undefined): string
  builtins: readonly string[]
  isBuiltin(name: string): boolean
}

/** Node's class `Module`, which programs reach into. */
export function makeModuleClass(loader: ModuleClassOptions): Loose {
  class Module {
    id: string
    path: string
    filename: string
    exports: Loose = {}
    loaded = false
    children: unknown[] = []
    paths: string[]
    parent: Loose
    constructor(path: string, parent: Loose) {
      this.id = path === loader.mainPath() ? '.' : path
      this.path = parentOf(path)
      this.filename = path
      this.parent = parent
      this.paths = []
      parent?.children?.push(this)
    }
    load(path: string): void {
      const ending = /\.[^./]+$/.exec(path)?.[0] ?? '.js'
      const extension = Module._extensions[ending] ?? Module._extensions['.js']!
      extension(this, path)
      this.loaded = true
    }
    _compile(text: string, path: string): Loose {
      return loader.run(this, path, text)
    }
    static readonly _cache: Record<string, Loose> = Object.create(null)
    static readonly _pathCache = {}
    static readonly globalPaths: string[] = []
    static readonly builtinModules = loader.builtins
    static readonly Module = Module
    static readonly _extensions: Record<string, (module: Loose, path: string) => void> = {
      '.js': (module, path) => module._compile(loader.textOf(path), path),
      '.json': (module, path) => {
        try {
          module.exports = JSON.parse(loader.textOf(path).replace(/^\uFEFF/, ''))
        } catch (error) {
          throw Object.assign(error as Error, { message: `${path}: ${(error as Error).message}` })
        }
      },
      '.node': (_module, path) => {
        throw codedError(
          'ERR_DLOPEN_FAILED',
          `${path} is a program for a machine and can't run in browser mode. A devbox runs it.`,
        )
      },
      '.ts': (module, path) => module._compile(loader.withoutTypes(path), path),
    }
    static createRequire(from: string | URL): Loose {
      const path = String(from).startsWith('file:') ? decodeURIComponent(new URL(from).pathname) : String(from)
      return loader.requireFrom(path.endsWith('/') ? path.slice(0, -1) || '/' : parentOf(path), path)
    }
    static isBuiltin(name: string): boolean {
      return loader.isBuiltin(name)
    }
    static _resolveFilename(request: string, parent: Loose): string {
      return loader.isBuiltin(request) ? request : loader.resolve(request, parent?.path ?? '/', parent?.filename)
    }
    static _load(request: string, parent: Loose): Loose {
      return loader.requireFrom(parent?.path ?? '/', parent?.filename ?? '/')(request)
    }
    static _nodeModulePaths(folder: string): string[] {
      const paths: string[] = []
      for (let at = folder; ; at = parentOf(at)) {
        paths.push(`${at === '/' ? '' : at}/node_modules`)
        if (at === '/') return paths
      }
    }
    static register(): void {}
    static syncBuiltinESMExports(): void {}
    static findSourceMap(): void {}
  }
  Module._extensions['.cts'] = Module._extensions['.ts']!
  Module._extensions['.cjs'] = Module._extensions['.js']!
  return Module
}

import { exports as exportsOf, imports as importsOf } from 'resolve.exports'
import { codedError } from '../nodeError.ts'
import { nameOf, parentOf } from '../processFiles.ts'
import type { ProcessFiles } from '../processFiles.ts'
import type { Loose } from '../loose.ts'
import { normalizePath } from '../../common/projectFiles.ts'

export type ModuleKind = 'require' | 'import'
const ENDINGS = ['.js', '.json', '.cjs', '.mjs', '.ts', '.cts', '.mts']

/** Finds modules as Node does. */
export class ModuleResolver {
  readonly #files: ProcessFiles
  readonly #manifests = new Map<string, { of: unknown; manifest: Loose }>()

  constructor(files: ProcessFiles) {
    this.#files = files
  }

  /** The path of what `specifier` means in a module in `folder`. */
  resolve(specifier: string, folder: string, kind: ModuleKind, from = `${folder}/`): string {
    const found = this.#find(specifier, folder, kind)
    if (found !== undefined) return found
    if (kind === 'require') {
      const message = `Cannot find module '${specifier}'\nRequire stack:\n- ${from}`
      throw Object.assign(codedError('MODULE_NOT_FOUND', message), { requireStack: [from] })
    }
    const isPath = /^[./]/.test(specifier)
    const what = isPath
      ? `module '${normalizePath(`${folder}/${specifier}`)}'`
      : `package '${packageNameOf(specifier)}'`
    throw codedError('ERR_MODULE_NOT_FOUND', `Cannot find ${what} imported from ${from}`)
  }

  #find(specifier: string, folder: string, kind: ModuleKind): string | undefined {
    if (specifier.startsWith('#')) return this.#ownImport(specifier, folder, kind)
    if (specifier.startsWith('/') || /^\.\.?(?:\/|$)/.test(specifier)) {
      const path = normalizePath(specifier.startsWith('/') ? specifier : `${folder}/${specifier}`)
      return kind === 'import' ? this.#exact(path) : this.#fileOrFolder(path)
    }
    return this.#package(specifier, folder, kind)
  }

  /** A module names what it imports to the letter; TypeScript by the name that it is compiled to. */
  #exact(path: string): string | undefined {
    if (this.#files.isFile(path)) return path
    const typed = path.replace(/\.([cm]?)js$/, '.$1ts')
    return typed !== path && this.#files.isFile(typed) ? typed : undefined
  }

  #fileOrFolder(path: string): string | undefined {
    if (this.#files.isFile(path)) return path
    const ended = ENDINGS.map((ending) => path + ending).find((one) => this.#files.isFile(one))
    if (ended !== undefined) return ended
    if (!this.#files.isFolder(path)) return this.#exact(path)
    const main: unknown = this.manifestIn(path)?.main
    if (typeof main === 'string' && main !== '') {
      const named = normalizePath(`${path}/${main}`)
      if (this.#files.isFile(named)) return named
      for (const base of [named, `${named}/index`]) {
        const found = ENDINGS.map((ending) => base + ending).find((one) => this.#files.isFile(one))
        if (found !== undefined) return found
      }
    }
    return ENDINGS.map((ending) => `${path}/index${ending}`).find((one) => this.#files.isFile(one))
  }

  #package(specifier: string, folder: string, kind: ModuleKind): string | undefined {
    const name = packageNameOf(specifier)
    const subpath = specifier.slice(name.length)
    const own = this.packageFolderOf(folder)
    if (own !== undefined && this.manifestIn(own)?.name === name && this.manifestIn(own)?.exports)
      return this.#exported(own, subpath, kind)
    for (let at = folder; ; at = parentOf(at)) {
      const place = nameOf(at) === 'node_modules' ? `${at}/${name}` : `${at === '/' ? '' : at}/node_modules/${name}`
      if (this.#files.isFolder(place)) {
        if (this.manifestIn(place)?.exports) return this.#exported(place, subpath, kind)
        const found = this.#fileOrFolder(place + subpath)
        if (found !== undefined) return found
      }
      if (at === '/') return undefined
    }
  }

  #exported(place: string, subpath: string, kind: ModuleKind): string | undefined {
    const manifest = this.manifestIn(place)
    let targets: readonly string[] | undefined
    try {
      targets = exportsOf(manifest, `.${subpath}`, { require: kind === 'require' }) ?? undefined
    } catch {
      // The library says it in words of its own.
      const what =
        subpath === ''
          ? 'No "exports" main defined'
          : `Package subpath './${subpath.slice(1)}' is not defined by "exports"`
      throw codedError('ERR_PACKAGE_PATH_NOT_EXPORTED', `${what} in ${place}/package.json`)
    }
    return targets?.map((target) => normalizePath(`${place}/${target}`)).find((path) => this.#files.isFile(path))
  }

  #ownImport(specifier: string, folder: string, kind: ModuleKind): string | undefined {
    const own = this.packageFolderOf(folder)
    const manifest = own === undefined ? undefined : this.manifestIn(own)
    if (own === undefined || !manifest?.imports) return undefined
    let targets: readonly string[] | undefined
    try {
      targets = importsOf(manifest, specifier, { require: kind === 'require' }) ?? undefined
    } catch {
      return undefined
    }
    for (const target of targets ?? []) {
      const found = target.startsWith('.')
        ? this.#exact(normalizePath(`${own}/${target}`))
        : this.#find(target, own, kind)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** Whether a file is a module of the newer kind. Null: its package does not say. */
  isModule(path: string): boolean | null {
    if (/\.m[jt]s$/.test(path)) return true
    if (/\.(?:c[jt]s|json|node)$/.test(path)) return false
    const own = this.packageFolderOf(parentOf(path))
    const type: unknown = own === undefined ? undefined : this.manifestIn(own)?.type
    if (type === 'module') return true
    return type === 'commonjs' || path.includes('/node_modules/') ? false : null
  }

  /** The nearest folder with a package.json. */
  packageFolderOf(folder: string): string | undefined {
    for (let at = folder; ; at = parentOf(at)) {
      if (this.#files.isFile(`${at === '/' ? '' : at}/package.json`)) return at
      if (at === '/' || nameOf(at) === 'node_modules') return undefined
    }
  }

  manifestIn(folder: string): Loose {
    const path = `${folder === '/' ? '' : folder}/package.json`
    const entry = this.#files.find(path)
    if (entry?.kind !== 'file') return undefined
    const known = this.#manifests.get(path)
    if (known?.of === entry.content) return known.manifest
    let manifest: Loose
    try {
      manifest = JSON.parse(this.#files.text(path))
    } catch (error) {
      throw codedError('ERR_INVALID_PACKAGE_CONFIG', `Invalid package config ${path}. ${(error as Error).message}`)
    }
    this.#manifests.set(path, { of: entry.content, manifest })
    return manifest
  }
}

export const packageNameOf = (specifier: string): string =>
  specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')

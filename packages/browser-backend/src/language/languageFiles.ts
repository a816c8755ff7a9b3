import ts from 'typescript'

/** Where the compiler sees the project, its packages, and the libraries of the language. */
export const PROJECT = '/nodebox'
export const PACKAGES = `${PROJECT}/node_modules`
const LIBRARIES = '/node_modules/typescript/lib'

/** How the address of a file that comes with a package, or with the language, begins. */
export const PACKAGE_SCHEME = 'boxyard-package'

interface Folder {
  files: Set<string>
  folders: Set<string>
}

/** What the compiler may look at: the project as it is edited, the declarations of its packages, and the libraries of the language. */
export class LanguageFiles {
  readonly #texts = new Map<string, string>()
  readonly #folders = new Map<string, Folder>()
  /** Packages change all at once. */
  #packages: string[] = []
  #version = 0

  constructor(libraries: Readonly<Record<string, string>>) {
    for (const [name, text] of Object.entries(libraries)) this.#set(`${LIBRARIES}/${name}`, text)
  }

  /** Counts every change. */
  get version(): number {
    return this.#version
  }

  /** Files of the project by path in it; null for one that is gone. */
  change(changes: ReadonlyMap<string, string | null>): void {
    for (const [path, text] of changes) {
      if (text === null) this.#delete(PROJECT + path)
      else this.#set(PROJECT + path, text)
    }
  }

  /** The declarations of packages, by path in node_modules. They replace those there were. */
  setPackages(files: Readonly<Record<string, string>>): void {
    for (const path of this.#packages) this.#delete(path)
    this.#packages = Object.keys(files).map((path) => `${PACKAGES}/${path}`)
    for (const [path, text] of Object.entries(files)) this.#set(`${PACKAGES}/${path}`, text)
  }

  read(path: string): string | undefined {
    return this.#texts.get(path)
  }

  /** Paths of the project's own files. */
  *project(): Iterable<string> {
    for (const path of this.#texts.keys())
      if (path.startsWith(`${PROJECT}/`) && !path.startsWith(`${PACKAGES}/`)) yield path
  }

  /** As compilers ask for files. */
  readonly system: ts.System & { version: number } = this.#makeSystem()

  #makeSystem(): ts.System & { version: number } {
    const versionNow = () => this.#version
    const nothing = () => undefined
    return {
      get version() {
        return versionNow()
      },
      args: [],
      newLine: '\n',
      useCaseSensitiveFileNames: true,
      write: nothing,
      writeFile: nothing,
      createDirectory: nothing,
      exit: nothing,
      resolvePath: (path) => path,
      getExecutingFilePath: () => `${LIBRARIES}/typescript.js`,
      getCurrentDirectory: () => PROJECT,
      readFile: (path) => this.#texts.get(path),
      fileExists: (path) => this.#texts.has(path),
      directoryExists: (path) => this.#folders.has(plain(path)),
      getDirectories: (path) => [...(this.#folders.get(plain(path))?.folders ?? [])],
      readDirectory: (path, extensions, excludes, includes, depth) =>
        matchFiles(path, extensions, excludes, includes, true, PROJECT, depth, (folder) => this.#entries(folder), same),
    }
  }

  #entries(path: string): { files: string[]; directories: string[] } {
    const { files = [], folders = [] } = this.#folders.get(plain(path)) ?? {}
    return { files: [...files], directories: [...folders] }
  }

  #set(path: string, text: string): void {
    if (this.#texts.get(path) === text) return
    this.#version += 1
    const isNew = !this.#texts.has(path)
    this.#texts.set(path, text)
    if (!isNew) return
    let name = path
    let isFile = true
    while (name !== '/') {
      const parent = name.slice(0, name.lastIndexOf('/')) || '/'
      const folder = this.#folders.get(parent) ?? { files: new Set(), folders: new Set() }
      this.#folders.set(parent, folder)
      const kind = isFile ? folder.files : folder.folders
      kind.add(name.slice(name.lastIndexOf('/') + 1))
      isFile = false
      name = parent
    }
  }

  #delete(path: string): void {
    if (!this.#texts.delete(path)) return
    this.#version += 1
    let name = path
    let isFile = true
    while (name !== '/') {
      const parent = name.slice(0, name.lastIndexOf('/')) || '/'
      const folder = this.#folders.get(parent)
      if (!folder) return
      const kind = isFile ? folder.files : folder.folders
      kind.delete(name.slice(name.lastIndexOf('/') + 1))
      if (folder.files.size > 0 || folder.folders.size > 0) return
      this.#folders.delete(parent)
      isFile = false
      name = parent
    }
  }
}

/** Compilers write a folder with a slash behind it too. */
const plain = (path: string): string => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path)
const same = (path: string): string => path

/** Part of every version of the compiler, and of no declaration. */
const { matchFiles } = ts as unknown as {
  matchFiles(
    path: string,
    extensions: readonly string[] | undefined,
    excludes: readonly string[] | undefined,
    includes: readonly string[] | undefined,
    isCaseSensitive: boolean,
    currentFolder: string,
    depth: number | undefined,
    entriesOf: (path: string) => { files: string[]; directories: string[] },
    realPath: (path: string) => string,
  ): string[]
}

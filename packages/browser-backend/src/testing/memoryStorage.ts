import { StorageError } from '../backend/restStorage.ts'
import type {
  SandboxStorage,
  StoredDirectory,
  StoredModule,
  StoredSandbox,
  UnsentText,
  UnsentTexts,
} from '../backend/storage.ts'

/** The platform's files in memory, with its rules: unique names, folders that exist, everything in a removed folder removed. */
export class MemoryStorage implements SandboxStorage {
  readonly modules = new Map<string, StoredModule>()
  readonly directories = new Map<string, StoredDirectory>()
  /** Contents of binary files, by address. */
  readonly uploads = new Map<string, Uint8Array<ArrayBuffer>>()
  /** Makes the next change fail, as when the server is away. */
  isAway = false
  version = 0
  /** What it would be opened with while nobody answers. */
  kept: StoredSandbox | undefined
  #last = 0

  constructor(files: Readonly<Record<string, string>>) {
    for (const [path, code] of Object.entries(files)) {
      let directoryShortid: string | null = null
      const names = path.split('/')
      const title = names.pop()!
      for (const name of names) {
        const known = [...this.directories.values()].find(
          (one) => one.title === name && one.directoryShortid === directoryShortid,
        )
        directoryShortid = known?.shortid ?? this.#addDirectory({ title: name, directoryShortid }).shortid
      }
      this.#addModule({ title, directoryShortid, code, isBinary: false })
    }
  }

  codeOf(title: string): string | undefined {
    return [...this.modules.values()].find((module) => module.title === title)?.code
  }

  keep(sandbox: StoredSandbox) {
    this.kept = sandbox
  }

  async load() {
    return { version: this.version, modules: [...this.modules.values()], directories: [...this.directories.values()] }
  }

  async read() {
    if (this.isAway) throw new StorageError(0, 'The server does not answer')
    return this.load()
  }

  async createModule(given: Parameters<SandboxStorage['createModule']>[0]) {
    this.#change()
    requireFree(this.modules.values(), given)
    return this.#addModule(given)
  }

  async updateModule(shortid: string, given: Partial<StoredModule>) {
    this.#change()
    const module = this.modules.get(shortid)
    if (!module) throw new StorageError(404, 'This file is not found')
    requireFree(this.modules.values(), { ...module, ...given })
    this.modules.set(shortid, { ...module, ...given })
  }

  async deleteModule(shortid: string) {
    this.#change()
    if (!this.modules.delete(shortid)) throw new StorageError(404, 'This file is not found')
  }

  async createDirectory(given: Parameters<SandboxStorage['createDirectory']>[0]) {
    this.#change()
    requireFree(this.directories.values(), given)
    return this.#addDirectory(given)
  }

  async updateDirectory(shortid: string, given: Partial<StoredDirectory>) {
    this.#change()
    const directory = this.directories.get(shortid)
    if (!directory) throw new StorageError(404, 'This folder is not found')
    requireFree(this.directories.values(), { ...directory, ...given })
    this.directories.set(shortid, { ...directory, ...given })
  }

  async deleteDirectory(shortid: string) {
    this.#change()
    for (const [id, module] of this.modules) if (module.directoryShortid === shortid) this.modules.delete(id)
    for (const [id, directory] of this.directories)
      if (directory.directoryShortid === shortid) await this.deleteDirectory(id)
    this.directories.delete(shortid)
  }

  async upload(name: string, content: Uint8Array) {
    this.#change()
    this.#last += 1
    const address = `/api/v1/uploads/u${this.#last}/${name}`
    this.uploads.set(address, new Uint8Array(content))
    return address
  }

  async download(address: string): Promise<Uint8Array<ArrayBuffer>> {
    const uploaded = this.uploads.get(address)
    if (uploaded) return uploaded
    return new Uint8Array(await (await fetch(address)).arrayBuffer())
  }

  #change(): void {
    if (this.isAway) throw new StorageError(0, 'The server does not answer')
    this.version += 1
  }

  #addModule(given: Parameters<SandboxStorage['createModule']>[0]): StoredModule {
    this.#last += 1
    const module = { shortid: `m${this.#last}`, ...given, insertedAt: this.#last, updatedAt: this.#last }
    this.modules.set(module.shortid, module)
    return module
  }

  #addDirectory(given: Parameters<SandboxStorage['createDirectory']>[0]): StoredDirectory {
    this.#last += 1
    const directory = { shortid: `d${this.#last}`, ...given }
    this.directories.set(directory.shortid, directory)
    return directory
  }
}

function requireFree(
  all: Iterable<StoredDirectory>,
  { shortid, title, directoryShortid }: Partial<StoredDirectory>,
): void {
  for (const one of all)
    if (one.title === title && one.directoryShortid === directoryShortid && one.shortid !== shortid)
      throw new StorageError(409, 'A file or folder of this name exists already')
}

/** Unsent texts that outlive a server in the same test. */
export class MemoryTexts implements UnsentTexts {
  readonly texts = new Map<string, UnsentText>()

  async load() {
    return new Map(this.texts)
  }

  async put(shortid: string, text: UnsentText) {
    this.texts.set(shortid, text)
  }

  async delete(shortid: string) {
    this.texts.delete(shortid)
  }
}

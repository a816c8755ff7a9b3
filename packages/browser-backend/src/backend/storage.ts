/** A file as the server keeps it. A binary one has an address in place of its text. */
export interface StoredModule {
  shortid: string
  title: string
  directoryShortid: string | null
  code: string
  isBinary: boolean
  /** Milliseconds since the epoch. */
  insertedAt: number
  updatedAt: number
}

export interface StoredDirectory {
  shortid: string
  title: string
  directoryShortid: string | null
}

export interface StoredSandbox {
  modules: readonly StoredModule[]
  directories: readonly StoredDirectory[]
}

/** Where the files of a sandbox live. What resolves is durable. */
export interface SandboxStorage {
  load(): Promise<StoredSandbox>
  createModule(given: Pick<StoredModule, 'title' | 'directoryShortid' | 'code' | 'isBinary'>): Promise<StoredModule>
  updateModule(
    shortid: string,
    given: Partial<Pick<StoredModule, 'title' | 'directoryShortid' | 'code' | 'isBinary'>>,
  ): Promise<void>
  deleteModule(shortid: string): Promise<void>
  createDirectory(given: Pick<StoredDirectory, 'title' | 'directoryShortid'>): Promise<StoredDirectory>
  updateDirectory(shortid: string, given: Partial<Pick<StoredDirectory, 'title' | 'directoryShortid'>>): Promise<void>
  deleteDirectory(shortid: string): Promise<void>
  /** The content behind the address of a binary file. */
  download(address: string): Promise<Uint8Array<ArrayBuffer>>
}

/** Text that was typed and not saved: kept on this device, so that a reload or a crash loses nothing. */
export interface UnsavedTexts {
  /** By shortid. `base` is the saved text that it was typed on. */
  load(): Promise<ReadonlyMap<string, UnsavedText>>
  put(shortid: string, text: UnsavedText): Promise<void>
  delete(shortid: string): Promise<void>
}

export interface UnsavedText {
  base: string
  text: string
}

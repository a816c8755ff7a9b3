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
  /** Counts the changes of the files. */
  version: number
  modules: readonly StoredModule[]
  directories: readonly StoredDirectory[]
}

/** Files and folders that came, changed or went. */
export interface StoredChange extends Omit<StoredSandbox, 'version'> {
  removedModules: readonly string[]
  removedDirectories: readonly string[]
}

/** Where the files of a sandbox live. What resolves is durable. */
export interface SandboxStorage {
  /** What it opens with: where nobody answers, as it was kept. */
  load(): Promise<StoredSandbox>
  /** As the platform has it now. */
  read(): Promise<StoredSandbox>
  createModule(given: Pick<StoredModule, 'title' | 'directoryShortid' | 'code' | 'isBinary'>): Promise<StoredModule>
  updateModule(
    shortid: string,
    given: Partial<Pick<StoredModule, 'title' | 'directoryShortid' | 'code' | 'isBinary'>>,
  ): Promise<void>
  deleteModule(shortid: string): Promise<void>
  createDirectory(given: Pick<StoredDirectory, 'title' | 'directoryShortid'>): Promise<StoredDirectory>
  updateDirectory(shortid: string, given: Partial<Pick<StoredDirectory, 'title' | 'directoryShortid'>>): Promise<void>
  deleteDirectory(shortid: string): Promise<void>
  /** Keeps the content of a binary file; resolves with its address, which never has another content. */
  upload(name: string, content: Uint8Array): Promise<string>
  /** The content behind the address of a binary file. */
  download(address: string): Promise<Uint8Array<ArrayBuffer>>
  /** What `load` resolves with from now on while nobody answers. */
  keep(sandbox: StoredSandbox): void
}

/** What was typed and the room does not have yet: kept on this device, so that a reload or a crash loses nothing. */
export interface UnsentTexts {
  /** By shortid. */
  load(): Promise<ReadonlyMap<string, UnsentText>>
  put(shortid: string, text: UnsentText): Promise<void>
  delete(shortid: string): Promise<void>
}

export interface UnsentText {
  /** Whose operations these are, and how many were handed out before the one in flight. */
  client: string
  sequence: number
  /** The room's text that this was typed on, and its revision; null when the room has not told it, and the base is the saved file. */
  revision: number | null
  base: string
  /** What the room may have taken in already. */
  inFlight: (number | string)[] | null
  text: string
}

import { lstatSync } from 'node:fs'
import type { ContentListener } from '../fs/workspace.ts'
import type { Timers } from '../shell/Timers.ts'
import { fileUri } from './serverPrograms.ts'

/** What is told together. A program that writes many files at once is one change. */
const JOIN_MS = 50

/** The workspace on disk. */
export interface OpenFolder {
  /** The answer ends it. */
  onContent(listener: ContentListener): () => void
}

/** As the language server protocol knows them. */
export const fileChange = { created: 1, changed: 2, deleted: 3 } as const

export interface FileChange {
  uri: string
  type: (typeof fileChange)[keyof typeof fileChange]
}

/** The eyes of a language server: it takes a file that is new for one that it has looked for, and reads again only what it is told was changed. */
export class WatchedFiles {
  readonly #timers: Timers
  readonly #tell: (changes: FileChange[]) => void
  /** What happened first to each path since the last time. */
  #pending = new Map<string, Parameters<ContentListener>[1]>()
  /** Paths that were told to be new. */
  readonly #created = new Set<string>()
  readonly #forget: () => void
  #cancel: (() => void) | undefined

  constructor({ files, timers }: { files: OpenFolder; timers: Timers }, tell: (changes: FileChange[]) => void) {
    this.#timers = timers
    this.#tell = tell
    this.#forget = files.onContent((path, type) => {
      if (!this.#pending.has(path)) this.#pending.set(path, type)
      this.#cancel ??= this.#timers.after(JOIN_MS, () => this.#flush())
    })
  }

  dispose(): void {
    this.#forget()
    this.#cancel?.()
  }

  #flush(): void {
    this.#cancel = undefined
    const pending = this.#pending
    this.#pending = new Map()
    this.#tell([...pending].map(([path, first]) => ({ uri: fileUri(path), type: this.#typeOf(path, first) })))
  }

  #typeOf(path: string, first: Parameters<ContentListener>[1]): FileChange['type'] {
    const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined
    if (!isThere) {
      this.#created.delete(path)
      return fileChange.deleted
    }
    // What was deleted first and is there is another file of the same name. What is told twice to be new was written again.
    if (first !== 'create' || this.#created.has(path)) return fileChange.changed
    this.#created.add(path)
    return fileChange.created
  }
}

import type { TextFile } from '@boxyard/dev-server-client'
import type { BackupStore } from './backupStore.ts'

/** How long an edit may be on its way before it is kept, in milliseconds: most are accepted sooner. */
const PATIENCE = 50

/** Keeps what the box has not accepted of one file in this browser, as long as that is so. One write at a time, always the newest text. */
export class FileBackup {
  readonly #file: TextFile
  readonly #store: Pick<BackupStore, 'put' | 'remove'>
  readonly #of: { box: string; page: string; path: string }
  readonly #onError: (error: unknown) => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #isWriting = false
  #isKept = false
  #isStale = false

  constructor(options: {
    file: TextFile
    store: Pick<BackupStore, 'put' | 'remove'>
    of: { box: string; page: string; path: string }
    onError(error: unknown): void
  }) {
    this.#file = options.file
    this.#store = options.store
    this.#of = options.of
    this.#onError = options.onError
  }

  /** The text or what the box has of it has changed. */
  changed(): void {
    this.#isStale = true
    // Once something is kept, it must not be older than it has to be.
    if (this.#isKept) return this.flush()
    if (this.#file.syncState === 'SYNCED') return
    this.#timer ??= setTimeout(() => this.flush(), PATIENCE)
  }

  /** Keeps what there is now, without waiting. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#isWriting) return
    this.#isWriting = true
    this.#write()
      .catch(this.#onError)
      .finally(() => {
        this.#isWriting = false
        // What changed while the last write ended.
        if (this.#isStale) this.flush()
      })
  }

  async #write(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false
      const { box, page, path } = this.#of
      const unaccepted = this.#file.unaccepted()
      if (unaccepted) {
        this.#isKept = true
        await this.#store.put(page, { box, path, ...unaccepted, at: Date.now() })
      } else if (this.#isKept) {
        await this.#store.remove(page, path)
        this.#isKept = false
      }
    }
  }
}

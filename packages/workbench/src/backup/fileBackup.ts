import type { TextFile } from '@boxyard/dev-server-client'
import type { BackupStore } from './backupStore.ts'

/** How long an edit may be on its way before it is kept, in milliseconds: most are accepted sooner. */
const PATIENCE = 50
/** The most that it may be where writing is slow. */
const LONGEST_PATIENCE = 500
/** A write is the whole text: what is typed meanwhile waits this many times as long as the last one took, so that a long text is not written all the time. */
const REST = 10

/** Keeps what the box has not accepted of one file in this browser, as long as that is so. One write at a time, always the newest text. */
export class FileBackup {
  readonly #file: TextFile
  readonly #store: Pick<BackupStore, 'put' | 'remove'>
  readonly #of: { box: string; page: string; path: string }
  readonly #onError: (error: unknown) => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #patience = PATIENCE
  #isWriting = false
  #isKept = false
  #isStale = false
  #isDue = false

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
    if (this.#file.syncState !== 'SYNCED') this.#timer ??= setTimeout(() => this.flush(), this.#patience)
    // What the box has must not be brought back.
    else if (this.#isKept) this.flush()
    else this.#stopWaiting()
  }

  /** Keeps what there is now, without waiting for more. */
  flush(): void {
    this.#stopWaiting()
    this.#isDue = true
    if (this.#isWriting) return
    this.#isWriting = true
    this.#write()
      .catch(this.#onError)
      .finally(() => {
        this.#isWriting = false
        // What changed while the last write ended.
        if (this.#isStale) this.changed()
      })
  }

  #stopWaiting(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  async #write(): Promise<void> {
    while (this.#isDue && this.#isStale) {
      this.#isDue = false
      this.#isStale = false
      const { box, page, path } = this.#of
      const unaccepted = this.#file.unaccepted()
      if (unaccepted) {
        this.#isKept = true
        const begun = performance.now()
        await this.#store.put(page, { box, path, ...unaccepted, at: Date.now() })
        this.#patience = Math.min(Math.max(PATIENCE, (performance.now() - begun) * REST), LONGEST_PATIENCE)
      } else if (this.#isKept) {
        await this.#store.remove(page, path)
        this.#isKept = false
      }
    }
  }
}

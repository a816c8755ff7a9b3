import { join, relative } from 'node:path'
import type { Timers } from '../shell/Timers.ts'
import type { WatchFolder } from '../task/watchFolder.ts'

/** Programs touch many files at once; the status is read when they pause. */
const SETTLE_MS = 300
/** Reading the status of a large repository takes its time: that much longer it is left alone afterwards. */
const REST_FACTOR = 2

export interface GitWatchOptions {
  root: string
  watchFolder: WatchFolder
  timers: Timers
  /** Never rejects. */
  refresh: () => Promise<void>
  report: (error: unknown) => void
}

/** Calls `refresh` after files of the workspace or of its repository changed, one call at a time. */
export class GitWatch {
  readonly #options: GitWatchOptions
  #stopFolder: (() => void) | undefined
  #cancel: (() => void) | undefined
  #running: Promise<void> | undefined
  #isStale = false
  #rest = 0
  #isDisposed = false

  constructor(options: GitWatchOptions) {
    this.#options = options
    this.#watchRepository()
  }

  /** A file of the workspace changed. */
  changed(path: string): void {
    if (relative(this.#options.root, path) === '.git') this.#watchRepository()
    this.soon()
  }

  soon(): void {
    if (this.#isDisposed) return
    this.#isStale = true
    if (this.#cancel || this.#running) return
    this.#cancel = this.#options.timers.after(SETTLE_MS + this.#rest, () => {
      this.#cancel = undefined
      this.#run()
    })
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true
    this.#cancel?.()
    this.#stopFolder?.()
    await this.#running
  }

  #run(): void {
    this.#isStale = false
    const { timers, refresh } = this.#options
    const began = timers.now()
    this.#running = refresh().finally(() => {
      this.#rest = (timers.now() - began) * REST_FACTOR
      this.#running = undefined
      if (this.#isStale) this.soon()
    })
  }

  /** HEAD, the index and the state of a merge lie right in this folder; branches move together with one of them. */
  #watchRepository(): void {
    this.#stopFolder?.()
    this.#stopFolder = undefined
    try {
      this.#stopFolder = this.#options.watchFolder(join(this.#options.root, '.git'), (name) => {
        if (!name.endsWith('.lock')) this.soon()
      })
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // No repository yet, or one whose folder is elsewhere: changes of files still lead to a look at it.
      if (code !== 'ENOENT' && code !== 'ENOTDIR') this.#options.report(error)
    }
  }
}

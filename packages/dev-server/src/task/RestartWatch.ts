import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { hasCode } from '../fs/errno.ts'
import type { Timers } from '../shell/Timers.ts'
import { isAmong } from './restartOn.ts'
import type { Tasks } from './Tasks.ts'
import type { WatchFolder } from './watchFolder.ts'

/** An installation or a checkout touches many files; the tasks start anew once they are over. */
const SETTLE_MS = 500

export interface RestartWatchDependencies {
  root: string
  tasks: Pick<Tasks, 'restartOn' | 'restart'>
  /** Calls back with the absolute path of each file whose content may have changed. */
  onContent: (listener: (path: string) => void) => void
  watchFolder: WatchFolder
  timers: Timers
  report: (error: unknown) => void
}

/** Starts running tasks anew when the files they name change, or when another branch is checked out. */
export class RestartWatch {
  readonly #dependencies: RestartWatchDependencies
  readonly #due = new Set<string>()
  #branch: string | undefined
  #cancel: (() => void) | undefined
  #stopRepository: (() => void) | undefined
  #work: Promise<unknown> = Promise.resolve()

  private constructor(dependencies: RestartWatchDependencies) {
    this.#dependencies = dependencies
  }

  static async start(dependencies: RestartWatchDependencies): Promise<RestartWatch> {
    const watch = new RestartWatch(dependencies)
    watch.#branch = await watch.#head()
    watch.#watchRepository()
    dependencies.onContent((path) => watch.#changed(relative(dependencies.root, path)))
    return watch
  }

  async dispose(): Promise<void> {
    this.#cancel?.()
    this.#stopRepository?.()
    await this.#work
  }

  #changed(path: string): void {
    if (path === '.git') this.#watchRepository()
    this.#require(({ files }) => files !== undefined && isAmong(files, path))
  }

  #require(isMeant: (rule: Tasks['restartOn'][string]) => boolean): void {
    const { tasks, timers, report } = this.#dependencies
    for (const [id, rule] of Object.entries(tasks.restartOn)) if (isMeant(rule)) this.#due.add(id)
    if (this.#due.size === 0) return
    this.#cancel?.()
    this.#cancel = timers.after(SETTLE_MS, () => {
      const ids = [...this.#due]
      this.#due.clear()
      this.#work = Promise.all([this.#work, ...ids.map((id) => tasks.restart(id).catch(report))])
    })
  }

  #watchRepository(): void {
    const { root, watchFolder, report } = this.#dependencies
    this.#stopRepository?.()
    this.#stopRepository = undefined
    try {
      this.#stopRepository = watchFolder(join(root, '.git'), (name) => {
        if (name === 'HEAD') this.#checkedOut()
      })
    } catch (error) {
      // No repository yet, or one whose folder is elsewhere.
      if (!hasCode(error, 'ENOENT', 'ENOTDIR')) report(error)
    }
  }

  #checkedOut(): void {
    const look = async (): Promise<void> => {
      const branch = await this.#head()
      // A commit moves the branch and leaves HEAD as it is.
      if (branch === undefined || branch === this.#branch) return
      this.#branch = branch
      this.#require((rule) => rule.branch === true)
    }
    this.#work = Promise.all([this.#work, look().catch(this.#dependencies.report)])
  }

  async #head(): Promise<string | undefined> {
    try {
      return await readFile(join(this.#dependencies.root, '.git', 'HEAD'), 'utf8')
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
      throw error
    }
  }
}

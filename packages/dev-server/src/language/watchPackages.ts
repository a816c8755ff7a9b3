import { join } from 'node:path'
import type { Timers } from '../shell/Timers.ts'
import type { WatchFolder } from '../task/watchFolder.ts'
import type { OpenFolder } from './WatchedFiles.ts'

/** An installation that writes nothing into the folder itself for this long has ended, or begins to be of use. */
const QUIET_MS = 1000

/** Calls back after packages of the workspace were installed or removed, which nobody else watches. */
export function watchPackages(
  {
    workspace,
    files,
    watchFolder,
    timers,
    report,
  }: {
    workspace: string
    files: OpenFolder
    watchFolder: WatchFolder
    timers: Timers
    report: (error: unknown) => void
  },
  onChange: () => void,
): { dispose(): void } {
  const folder = join(workspace, 'node_modules')
  let unwatch: (() => void) | undefined
  let cancel: (() => void) | undefined
  const changed = (): void => {
    cancel?.()
    cancel = timers.after(QUIET_MS, onChange)
  }
  const watch = (): void => {
    unwatch?.()
    unwatch = undefined
    try {
      unwatch = watchFolder(folder, changed)
    } catch (error) {
      // It is made with the first installation, and the workspace tells of that.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') report(error)
    }
  }
  watch()
  const forget = files.onContent((path) => {
    if (path !== folder) return
    watch()
    changed()
  })
  return {
    dispose() {
      forget()
      unwatch?.()
      cancel?.()
    },
  }
}

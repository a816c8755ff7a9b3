import { watch } from 'node:fs'

/** Calls back with the name of what changed right in `folder`. The answer ends it. Throws when the folder does not exist. */
export type WatchFolder = (folder: string, onChange: (name: string) => void) => () => void

export const watchFolder: WatchFolder = (folder, onChange) => {
  const watcher = watch(folder, { persistent: false }, (_event, name) => {
    if (name !== null) onChange(name)
  })
  // The folder itself was removed; whoever watches its parent hears of that.
  watcher.on('error', () => watcher.close())
  return () => watcher.close()
}

import { subscribe, type Event, type Options } from '@parcel/watcher'
import type { Log } from '../log.ts'

/** Left to choose, the watcher first runs a shell to look for another one, which it never waits for: a dead process remains of each watch. */
const backend: Pick<Options, 'backend'> = process.platform === 'linux' ? { backend: 'inotify' } : {}

/**
 * Watches everything below a folder. `lostSome` is true when the kernel dropped events and only the disk knows what happened.
 * Resolves, when watching has begun, with a function that ends it.
 */
export async function watchFolder(
  path: string,
  ignore: (string | RegExp)[],
  onEvents: (events: readonly Event[], lostSome: boolean) => void,
  log: Log,
): Promise<() => Promise<void>> {
  const subscription = await subscribe(path, (error, events) => onEvents(events ?? [], error !== null), {
    ignore,
    ...backend,
  })
  return async () => {
    try {
      await subscription.unsubscribe()
    } catch (error) {
      // Folders that were removed have taken their watches with them, and the kernel refuses to end those again.
      log.info('A watch had ended before', { path, reason: String(error) })
    }
  }
}

import type { Event } from '@boxyard/dev-server-client'

/** A value with an event of its changes, in the form that React subscribes to. */
export function eventStore<T>(read: () => T, onDidChange: Event<T>) {
  let current = read()
  return {
    current: () => current,
    subscribe: (listener: () => void) => {
      // What changed before somebody listened.
      current = read()
      const subscription = onDidChange((value) => {
        current = value
        listener()
      })
      return () => subscription.dispose()
    },
  }
}

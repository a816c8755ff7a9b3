const isMac = () => /mac|iphone|ipad/i.test(navigator.userAgent)

/** The name of the main modifier with `key` on this machine: `Ctrl K` or `⌘K`. */
export const shortcutName = (key: string): string => (isMac() ? `⌘${key}` : `Ctrl ${key}`)

/** Whether the event is the main modifier with `key`, and nothing more. */
export const isShortcut = (event: KeyboardEvent, key: string): boolean =>
  (isMac() ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey) &&
  !event.shiftKey &&
  !event.altKey &&
  event.key.toLowerCase() === key

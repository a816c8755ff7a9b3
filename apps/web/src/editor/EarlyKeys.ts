/** Keys of the editor's commands that mean nothing in a text, by what they begin: with Ctrl or Cmd, and Shift where it is capital. */
const commands = new Set(['p', 'P', 'b', 'j', '`', '~', 'F', 'E', 'G', 'X', 'D', 'M'])

/**
 * Keeps the keys of commands that are pressed before the editor has its commands, and presses them again when it has. What is typed into
 * the text that the page shows meanwhile is not its business.
 */
export class EarlyKeys {
  readonly #page: Pick<Window, 'addEventListener' | 'removeEventListener'>
  readonly #kept: KeyboardEvent[] = []

  constructor(page: Pick<Window, 'addEventListener' | 'removeEventListener'>) {
    this.#page = page
    page.addEventListener('keydown', this.#keep, { capture: true })
  }

  /** Keeps nothing any more. */
  dispose(): void {
    this.#page.removeEventListener('keydown', this.#keep, { capture: true })
    this.#kept.length = 0
  }

  /** Presses on `target` what was kept, in its order, and keeps nothing any more. */
  release(target: EventTarget): void {
    const kept = [...this.#kept]
    this.dispose()
    for (const { key, code, keyCode, ctrlKey, metaKey, shiftKey, altKey } of kept) {
      const init = { key, code, keyCode, ctrlKey, metaKey, shiftKey, altKey, bubbles: true, cancelable: true }
      target.dispatchEvent(new KeyboardEvent('keydown', init))
    }
  }

  readonly #keep = (event: KeyboardEvent): void => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || !commands.has(event.key)) return
    // The browser would print, or open a list of its own.
    event.preventDefault()
    event.stopImmediatePropagation()
    // Whoever presses it again because nothing happens has one wish.
    if (!this.#kept.some((kept) => kept.key === event.key)) this.#kept.push(event)
  }
}

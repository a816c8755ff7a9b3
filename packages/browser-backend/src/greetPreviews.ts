import { Allowance } from './common/allowance.ts'
import { CONNECT, isHello, PREPARED_SHOWN } from './common/messages.ts'

export interface GreetPreviewsOptions {
  /** Where the preview is now; other pages are not answered. */
  origin(): string
  /** A page of the preview holds the other end of the port. `shownIn` is the same for all pages of one window, and another one for each. */
  onPage(port: MessagePort, address: string, shownIn: number): void
  /** A page shows what was compiled ahead. */
  onPreparedShown?(): void
}

/** How often a window may show a new page: at once, and then in a second. One that starts again without an end would keep everybody busy. */
const MOST_PAGES = 20
const PAGES_PER_SECOND = 2

interface Known {
  number: number
  allowance: Allowance
  isTold: boolean
}
const known = new WeakMap<object, Known>()
let last = 0

/** Answers pages of the preview in frames of this window, each with a port to what compiles for it. Returns what ends that. */
export function greetPreviews({ origin: expected, onPage, onPreparedShown }: GreetPreviewsOptions): () => void {
  const greet = (event: MessageEvent<unknown>) => {
    const { origin, source } = event
    // Frames in a page of the preview are its own, and there may be any number of them.
    if (origin !== expected() || !source || !('parent' in source) || source.parent !== window) return
    const { data } = event
    if (data === PREPARED_SHOWN) onPreparedShown?.()
    if (!isHello(data)) return
    const shownIn = known.get(source) ?? {
      number: ++last,
      allowance: new Allowance(MOST_PAGES, PAGES_PER_SECOND),
      isTold: false,
    }
    known.set(source, shownIn)
    if (!shownIn.allowance.take()) {
      if (!shownIn.isTold)
        console.warn('The preview starts again without an end. It is left alone until it is reloaded.')
      shownIn.isTold = true
      return
    }
    shownIn.isTold = false
    const { port1, port2 } = new MessageChannel()
    onPage(port1, data.path, shownIn.number)
    source.postMessage(CONNECT, { targetOrigin: origin, transfer: [port2] })
  }
  window.addEventListener('message', greet)
  return () => window.removeEventListener('message', greet)
}

import { CONNECT, isHello, PREPARED_SHOWN } from './common/messages.ts'

export interface GreetPreviewsOptions {
  /** Where the preview is now; other pages are not answered. */
  origin(): string
  /** A page of the preview holds the other end of the port. */
  onPage(port: MessagePort, address: string): void
  /** A page shows what was compiled ahead. */
  onPreparedShown?(): void
}

/** Answers pages of the preview in this window, each with a port to what compiles for it. Returns what ends that. */
export function greetPreviews({ origin: expected, onPage, onPreparedShown }: GreetPreviewsOptions): () => void {
  const greet = ({ data, origin, source }: MessageEvent<unknown>) => {
    if (origin !== expected()) return
    if (data === PREPARED_SHOWN) onPreparedShown?.()
    if (!isHello(data) || !source) return
    const { port1, port2 } = new MessageChannel()
    onPage(port1, data.path)
    source.postMessage(CONNECT, { targetOrigin: origin, transfer: [port2] })
  }
  window.addEventListener('message', greet)
  return () => window.removeEventListener('message', greet)
}

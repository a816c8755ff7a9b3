import { CONNECT } from './messages.ts'
import { FRAME_HELLO } from './processMessages.ts'

/**
 * For a frame of ours on the host of a preview: tells the page of the editor that it is there, once it is prepared, and gets its line from it
 * alone.
 */
export function connectFrame(
  begin: (port: MessagePort) => void,
  prepare: () => Promise<void> = async () => undefined,
): void {
  const script = document.currentScript as HTMLScriptElement
  const appOrigin = script.dataset['appOrigin'] ?? ''
  window.addEventListener('message', ({ data, origin, source, ports }) => {
    const [port] = ports
    if (origin !== appOrigin || source !== window.parent || data !== CONNECT || !port) return
    begin(port)
  })
  if (window.parent !== window) void prepare().then(() => window.parent.postMessage(FRAME_HELLO, appOrigin))
}

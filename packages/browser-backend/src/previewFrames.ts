import { CONNECT } from './common/messages.ts'
import { FRAME_HELLO } from './common/processMessages.ts'

/** How long a frame may take to be there; a server that is away says nothing. */
const PATIENCE_MS = 30_000

/** Frames of ours on the hosts of previews, which show nothing: where processes run, and through which ports are reached. */
export class PreviewFrames {
  readonly #frames = new Set<HTMLIFrameElement>()

  /** Resolves with the line to the frame, which its own page alone has the other end of. */
  open(address: string): Promise<MessagePort> {
    const frame = document.createElement('iframe')
    frame.hidden = true
    frame.title = 'Runs the programs of this sandbox'
    frame.src = address
    const { origin } = new URL(address)
    this.#frames.add(frame)
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        window.removeEventListener('message', greet)
        frame.remove()
        reject(new Error('The place where programs run could not be opened. Check the connection and try again.'))
      }, PATIENCE_MS)
      const greet = (event: MessageEvent<unknown>) => {
        if (event.source !== frame.contentWindow || event.origin !== origin || event.data !== FRAME_HELLO) return
        clearTimeout(late)
        window.removeEventListener('message', greet)
        const { port1, port2 } = new MessageChannel()
        frame.contentWindow!.postMessage(CONNECT, origin, [port2])
        resolve(port1)
      }
      window.addEventListener('message', greet)
      document.body.append(frame)
    })
  }

  closeAll(): void {
    for (const frame of this.#frames) frame.remove()
    this.#frames.clear()
  }
}

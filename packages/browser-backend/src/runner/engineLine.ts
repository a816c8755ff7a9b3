import type { FromRunner, ToRunner } from '../common/messages.ts'

/** What the page of a preview says to what compiles for it, from before there is a port on: that waits. */
export class EngineLine {
  readonly #waiting: FromRunner[] = []
  #port: MessagePort | undefined

  send(message: FromRunner): void {
    if (this.#port) this.#port.postMessage(message)
    else this.#waiting.push(message)
  }

  /** `receive` is told what the other end says. The start is the first that it hears. */
  connect(port: MessagePort, receive: (message: ToRunner) => void): void {
    this.#port = port
    port.onmessage = ({ data }: MessageEvent<ToRunner>) => receive(data)
    port.postMessage({ type: 'start' } satisfies FromRunner)
    for (const message of this.#waiting.splice(0)) port.postMessage(message)
  }
}

import type { FromRunner, ToRunner } from '../common/messages.ts'

type Request = Extract<ToRunner, { type: 'compile' }>
type Answer = Extract<FromRunner, { type: 'compiled' }>

/** Runs compilers in a worker beside the page, so that neither holds up the other. */
export class CompilerWorker {
  readonly #address: string
  readonly #packs: string
  readonly #waiting = new Map<number, (answer: Answer) => void>()
  #worker: Worker | undefined

  constructor(address: string, packs: string) {
    this.#address = address
    this.#packs = packs
  }

  compile(request: Request): Promise<Answer> {
    const worker = (this.#worker ??= this.#start())
    return new Promise((resolve) => {
      this.#waiting.set(request.id, resolve)
      worker.postMessage({ ...request, packs: this.#packs })
    })
  }

  #start(): Worker {
    const worker = new Worker(this.#address, { type: 'module' })
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      this.#waiting.get(data.id)?.(data)
      this.#waiting.delete(data.id)
    }
    worker.onerror = ({ message }) => {
      const problem = {
        message: message || 'The compiler could not be started',
        file: null,
        line: null,
        column: null,
        frame: null,
      }
      for (const [id, resolve] of this.#waiting) resolve({ type: 'compiled', id, problem })
      this.#waiting.clear()
    }
    return worker
  }
}

import type { FormatAnswer, FormatRequest } from './formatMessage.ts'

/** What the page needs of the worker that formats. */
export type FormatWorker = Pick<Worker, 'postMessage' | 'terminate' | 'addEventListener'>

interface Waiting {
  resolve(answer: FormatAnswer): void
  reject(error: Error): void
}

/** Formats texts in a worker, which is started with the first one. */
export class Formatter {
  readonly #start: () => FormatWorker
  readonly #waiting = new Map<number, Waiting>()
  #worker: FormatWorker | undefined
  #last = 0

  constructor(start: () => FormatWorker) {
    this.#start = start
  }

  format(text: string, options: Record<string, unknown>): Promise<FormatAnswer> {
    const worker = (this.#worker ??= this.#started())
    const id = (this.#last += 1)
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      worker.postMessage({ id, text, options } satisfies FormatRequest, [])
    })
  }

  /** Ends the worker and what it is at: a text may take longer than anybody waits. */
  end(reason: string): void {
    this.#worker?.terminate()
    this.#worker = undefined
    for (const { reject } of this.#waiting.values()) reject(new Error(reason))
    this.#waiting.clear()
  }

  #started(): FormatWorker {
    const worker = this.#start()
    worker.addEventListener('message', ({ data }: MessageEvent<FormatAnswer>) => {
      this.#waiting.get(data.id)?.resolve(data)
      this.#waiting.delete(data.id)
    })
    worker.addEventListener('error', ({ message }) => this.end(message || 'The formatter did not start'))
    return worker
  }
}

import EventEmitter from 'events/events.js'
import type { Loose } from '../loose.ts'

/** Reads lines from a stream. */
class Interface extends EventEmitter {
  readonly #input: Loose
  readonly #output: Loose
  readonly #take: (chunk: Loose) => void
  readonly #finish: () => void
  readonly #asked: ((line: string) => void)[] = []
  #prompt: string
  #left = ''
  closed = false
  line = ''

  constructor({ input, output, prompt = '> ' }: Loose) {
    super()
    this.#input = input
    this.#output = output
    this.#prompt = prompt
    const decoder = new TextDecoder()
    this.#take = (chunk) => {
      this.#left += typeof chunk === 'string' ? chunk : decoder.decode(chunk as Uint8Array, { stream: true })
      const lines = this.#left.split(/\r\n|\n|\r/)
      this.#left = lines.pop()!
      for (const line of lines) this.#line(line)
    }
    this.#finish = () => {
      if (this.#left !== '') this.#line(this.#left)
      this.#left = ''
      this.close()
    }
    input.on('data', this.#take)
    input.on('end', this.#finish)
  }

  #line(line: string): void {
    const asked = this.#asked.shift()
    if (asked) asked(line)
    else this.emit('line', line)
  }

  question(words: string, ...given: Loose[]): void {
    this.#output?.write(words)
    this.#asked.push(given.at(-1))
  }
  setPrompt(prompt: string): void {
    this.#prompt = prompt
  }
  getPrompt(): string {
    return this.#prompt
  }
  prompt(): void {
    this.#output?.write(this.#prompt)
  }
  write(text: string): void {
    this.#take(text)
  }
  pause(): this {
    this.#input.pause()
    return this
  }
  resume(): this {
    this.#input.resume()
    return this
  }
  close(): void {
    if (this.closed) return
    this.closed = true
    this.#input.off('data', this.#take)
    this.#input.off('end', this.#finish)
    this.#input.pause()
    this.emit('close')
  }
  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    const lines: string[] = []
    let wake: () => void = () => undefined
    this.on('line', (line: string) => {
      lines.push(line)
      wake()
    })
    this.on('close', () => wake())
    while (true) {
      while (lines.length > 0) yield lines.shift()!
      if (this.closed) return
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }
}

const createInterface = (first: Loose, output?: Loose) => new Interface(first?.input ? first : { input: first, output })
const write = (stream: Loose, text: string, done?: () => void): boolean => stream.write(text, done) as boolean

/** Node's `readline`. */
export const readline: Loose = {
  Interface,
  createInterface,
  clearLine: (stream: Loose, _direction: number, done?: () => void) => write(stream, '\u001b[2K', done),
  cursorTo: (stream: Loose, x: number, y?: Loose, done?: () => void) =>
    write(stream, typeof y === 'number' ? `\u001b[${y + 1};${x + 1}H` : `\u001b[${x + 1}G`, done),
  moveCursor: (stream: Loose, dx: number, _dy: number, done?: () => void) =>
    write(stream, dx === 0 ? '' : `\u001b[${Math.abs(dx)}${dx > 0 ? 'C' : 'D'}`, done),
  clearScreenDown: (stream: Loose, done?: () => void) => write(stream, '\u001b[0J', done),
  emitKeypressEvents: () => undefined,
  promises: {
    Interface,
    createInterface: (first: Loose, output?: Loose) => {
      const made: Loose = createInterface(first, output)
      const question = made.question.bind(made)
      made.question = (words: string) => new Promise((resolve) => void question(words, resolve))
      return made
    },
  },
}

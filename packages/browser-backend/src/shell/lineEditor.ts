import { expandGlob } from './globs.ts'
import { parentOf } from '../process/processFiles.ts'
import { absolute } from './shellState.ts'
import type { ShellState } from './shellState.ts'

export interface LineEditorOptions {
  state: Pick<ShellState, 'cwd' | 'files'>
  names: readonly string[]
  write(text: string): void
  prompt(): string
  onLine(line: string): void
  /** Ctrl-D on an empty line. */
  onEnd(): void
}

// eslint-disable-next-line no-control-regex
const KEY = /^(?:\u001b\[(?:[0-9;]*)[A-Za-z~]|\u001bO[A-Z]|\u001b.|[\s\S])/u

/** The line that a person types at the prompt of a terminal, with what came before within reach. */
export class LineEditor {
  readonly #options: LineEditorOptions
  readonly #history: string[] = []
  #line: string[] = []
  #caret = 0
  #at = 0

  constructor(options: LineEditorOptions) {
    this.#options = options
  }

  begin(): void {
    this.#options.write(this.#options.prompt())
  }

  /** Takes keys up to the end of a line; answers with those behind it. */
  take(input: string): string {
    let rest = input
    while (rest !== '') {
      const key = KEY.exec(rest)![0]
      rest = rest.slice(key.length)
      if (key === '\r' || key === '\n') {
        this.#finish()
        return key === '\r' && rest.startsWith('\n') ? rest.slice(1) : rest
      }
      this.#press(key)
    }
    return ''
  }

  #press(key: string): void {
    switch (key) {
      case '\u007f':
      case '\b':
        return this.#erase(this.#caret - 1, this.#caret)
      case '\u001b[3~':
        return this.#erase(this.#caret, this.#caret + 1)
      case '\u0004':
        return this.#line.length === 0 ? this.#options.onEnd() : this.#erase(this.#caret, this.#caret + 1)
      case '\u0003':
        this.#options.write('^C\n')
        this.#reset()
        return this.begin()
      case '\u0015':
        return this.#erase(0, this.#caret)
      case '\u000b':
        return this.#erase(this.#caret, this.#line.length)
      case '\u0017':
        return this.#erase(this.#wordStart(), this.#caret)
      case '\u000c':
        this.#options.write('\u001b[2J\u001b[H')
        return this.#draw()
      case '\u001b[A':
      case '\u001bOA':
        return this.#recall(-1)
      case '\u001b[B':
      case '\u001bOB':
        return this.#recall(1)
      case '\u001b[C':
      case '\u001bOC':
        return this.#move(this.#caret + 1)
      case '\u001b[D':
      case '\u001bOD':
        return this.#move(this.#caret - 1)
      case '\u001b[H':
      case '\u001bOH':
      case '\u0001':
        return this.#move(0)
      case '\u001b[F':
      case '\u001bOF':
      case '\u0005':
        return this.#move(this.#line.length)
      case '\t':
        return this.#complete()
      default:
        if (key < ' ' || key.startsWith('\u001b')) return undefined
        this.#line.splice(this.#caret, 0, key)
        this.#caret += 1
        if (this.#caret === this.#line.length) this.#options.write(key)
        else this.#draw()
    }
    return undefined
  }

  #finish(): void {
    const line = this.#line.join('')
    this.#options.write('\n')
    if (line.trim() !== '' && line !== this.#history.at(-1)) this.#history.push(line)
    this.#reset()
    this.#options.onLine(line)
  }

  #reset(): void {
    this.#line = []
    this.#caret = 0
    this.#at = this.#history.length
  }

  #erase(from: number, to: number): void {
    if (from < 0 || from >= to) return
    this.#line.splice(from, to - from)
    this.#caret = from
    this.#draw()
  }

  #move(to: number): void {
    if (to < 0 || to > this.#line.length) return
    this.#caret = to
    this.#draw()
  }

  #recall(step: number): void {
    const wanted = this.#at + step
    if (wanted < 0 || wanted > this.#history.length) return
    this.#at = wanted
    this.#line = [...(this.#history[wanted] ?? '')]
    this.#caret = this.#line.length
    this.#draw()
  }

  #wordStart(): number {
    const before = this.#line.slice(0, this.#caret).join('')
    return [...before.replace(/\S+\s*$/, '')].length
  }

  /** Completes a command, or a path. */
  #complete(): void {
    const { state, names } = this.#options
    const before = this.#line.slice(0, this.#caret).join('')
    const word = /\S*$/.exec(before)![0]
    const isFirst = before.slice(0, before.length - word.length).trim() === ''
    const found =
      isFirst && !word.includes('/')
        ? names.filter((name) => name.startsWith(word))
        : expandGlob(`${word}*`, state).filter((path) => state.files.find(absolute(state, path)) !== undefined)
    if (found.length === 0) return
    const common = found.reduce((shared, one) => {
      let length = 0
      while (length < shared.length && shared[length] === one[length]) length += 1
      return shared.slice(0, length)
    })
    const isOnly = found.length === 1
    const ending = isOnly ? (!isFirst && state.files.isFolder(absolute(state, common)) ? '/' : ' ') : ''
    const more = [...(common.slice(word.length) + ending)]
    if (more.length === 0) {
      const above = word.includes('/') ? parentOf(word).length + 1 : 0
      this.#options.write(`\n${found.map((path) => path.slice(above)).join('  ')}\n`)
    }
    this.#line.splice(this.#caret, 0, ...more)
    this.#caret += more.length
    this.#draw()
  }

  #draw(): void {
    const behind = this.#line.length - this.#caret
    const back = behind > 0 ? `\u001b[${behind}D` : ''
    this.#options.write(`\r\u001b[K${this.#options.prompt()}${this.#line.join('')}${back}`)
  }
}

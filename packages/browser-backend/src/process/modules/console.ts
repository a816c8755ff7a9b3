import { util } from './util.ts'
import type { Loose } from '../loose.ts'

const { formatWithOptions, inspect } = util

/** Node's console over two streams. */
export class Console {
  readonly #counts = new Map<string, number>()
  readonly #times = new Map<string, number>()
  #indent = ''
  readonly #out: Loose
  readonly #err: Loose

  constructor(first: Loose, second?: Loose) {
    this.#out = first.stdout ?? first
    this.#err = first.stderr ?? second ?? this.#out
    // Programs take its methods away from it.
    for (const name of Object.getOwnPropertyNames(Console.prototype)) {
      const own = this as Loose
      if (name !== 'constructor') own[name] = own[name].bind(this)
    }
  }

  #write(stream: Loose, given: readonly unknown[]): void {
    const text: string = formatWithOptions({ colors: stream.isTTY === true }, ...given)
    stream.write(`${this.#indent}${this.#indent === '' ? text : text.replaceAll('\n', `\n${this.#indent}`)}\n`)
  }

  log(...given: unknown[]): void {
    this.#write(this.#out, given)
  }
  info(...given: unknown[]): void {
    this.#write(this.#out, given)
  }
  debug(...given: unknown[]): void {
    this.#write(this.#out, given)
  }
  warn(...given: unknown[]): void {
    this.#write(this.#err, given)
  }
  error(...given: unknown[]): void {
    this.#write(this.#err, given)
  }
  trace(...given: unknown[]): void {
    const stack = new Error(formatWithOptions({}, ...given)).stack ?? ''
    this.#write(this.#err, [stack.replace(/^Error/, 'Trace')])
  }
  dir(value: unknown, options?: object): void {
    this.#write(this.#out, [inspect(value, { customInspect: false, ...options })])
  }
  dirxml(...given: unknown[]): void {
    this.log(...given)
  }
  assert(isTrue: unknown, ...given: unknown[]): void {
    if (!isTrue) this.error('Assertion failed', ...given)
  }
  count(label = 'default'): void {
    const count = (this.#counts.get(label) ?? 0) + 1
    this.#counts.set(label, count)
    this.log(`${label}: ${count}`)
  }
  countReset(label = 'default'): void {
    this.#counts.delete(label)
  }
  time(label = 'default'): void {
    this.#times.set(label, performance.now())
  }
  timeLog(label = 'default', ...given: unknown[]): void {
    this.log(`${label}: ${(performance.now() - (this.#times.get(label) ?? performance.now())).toFixed(3)}ms`, ...given)
  }
  timeEnd(label = 'default'): void {
    this.timeLog(label)
    this.#times.delete(label)
  }
  group(...given: unknown[]): void {
    if (given.length > 0) this.log(...given)
    this.#indent += '  '
  }
  groupCollapsed(...given: unknown[]): void {
    this.group(...given)
  }
  groupEnd(): void {
    this.#indent = this.#indent.slice(2)
  }
  table(data: unknown): void {
    if (typeof data !== 'object' || data === null) return this.log(data)
    const rows = Object.entries(data).map(([index, row]) => ({ index, row: row as Loose }))
    const isFlat = rows.every(({ row }) => typeof row !== 'object' || row === null)
    const names = isFlat ? [] : [...new Set(rows.flatMap(({ row }) => Object.keys(Object(row) as object)))]
    const head = ['(index)', ...(isFlat ? ['Values'] : names)]
    const cells = rows.map(({ index, row }) => [
      index,
      ...(isFlat
        ? [inspect(row)]
        : names.map((name) => (Object.hasOwn(Object(row) as object, name) ? inspect(row[name]) : ''))),
    ])
    const widths = head.map((title, column) => Math.max(title.length, ...cells.map((row) => row[column]!.length)) + 2)
    const line = (from: string, by: string, to: string) => from + widths.map((width) => '─'.repeat(width)).join(by) + to
    const shown = (row: readonly string[]) =>
      `│${row.map((cell, column) => ` ${cell}`.padEnd(widths[column]!)).join('│')}│`
    return this.log(
      [line('┌', '┬', '┐'), shown(head), line('├', '┼', '┤'), ...cells.map(shown), line('└', '┴', '┘')].join('\n'),
    )
  }
}

import type { FromRunner } from '../common/messages.ts'
import { describeValue } from './describe.ts'

/** Tells what goes to the console, which has it all the same. */
export function watchConsole(to: Console, send: (message: FromRunner) => void): void {
  for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    const original = to[level].bind(to)
    to[level] = (...values: unknown[]) => {
      original(...values)
      send({
        type: 'console',
        level,
        text: values
          .map((value) => describeValue(value))
          .join(' ')
          .slice(0, 10_000),
      })
    }
  }
}

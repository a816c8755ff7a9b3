import { limits } from '../common/agentMessages.ts'
import { ConsoleFlood, TOO_MUCH } from '../common/consoleFlood.ts'
import type { FromRunner } from '../common/messages.ts'
import { describeValue } from './describe.ts'

/** Tells what goes to the console, which has it all the same. */
export function watchConsole(to: Console, send: (message: FromRunner) => void): void {
  const flood = new ConsoleFlood()
  for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    const original = to[level].bind(to)
    to[level] = (...values: unknown[]) => {
      original(...values)
      const next = flood.next()
      if (next === 'told') send({ type: 'console', level: 'warn', text: TOO_MUCH })
      if (next !== 'said') return
      const text = values.map((value) => describeValue(value)).join(' ')
      send({ type: 'console', level, text: text.slice(0, limits.text) })
    }
  }
}

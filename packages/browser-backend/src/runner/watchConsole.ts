import { limits } from '../common/agentMessages.ts'
import { ConsoleFlood } from '../common/consoleFlood.ts'
import type { ConsoleFloodOptions } from '../common/consoleFlood.ts'
import type { FromRunner } from '../common/messages.ts'
import { describeValue } from './describe.ts'

/** Members of each object in a line that may be left out. */
const BRIEF_MEMBERS = 5

/** Tells what goes to the console, which has it all the same. */
export function watchConsole(
  to: Console,
  send: (message: FromRunner) => void,
  clock: Pick<ConsoleFloodOptions<FromRunner>, 'now' | 'later'> = {},
): void {
  const flood = new ConsoleFlood<FromRunner>({
    ...clock,
    say: send,
    leaveOut(lines) {
      const all = Object.values(lines).reduce((sum, count) => sum + count, 0)
      const text = `${all} lines of the console came too fast to be shown. The console of the browser has them.`
      send({ type: 'console', level: 'warn', text })
    },
  })
  for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    const original = to[level].bind(to)
    to[level] = (...values: unknown[]) => {
      original(...values)
      flood.take(level, (isBrief) => {
        const most = isBrief ? BRIEF_MEMBERS : undefined
        const text = values.map((value) => describeValue(value, 0, most)).join(' ')
        return { type: 'console', level, text: text.slice(0, limits.text) }
      })
    }
  }
}

import { expect, it } from 'vitest'
import type { FromRunner } from '../common/messages.ts'
import { PageEdge } from '../compile/pageEdge.ts'
import { watchConsole } from './watchConsole.ts'

it('BB981: a page that says more than can be shown says so itself, and none of what it sends is too much', () => {
  const shown: unknown[] = []
  const sent: FromRunner[] = []
  const say = (...values: unknown[]) => shown.push(...values)
  const page = { log: say, info: say, warn: say, error: say, debug: say } as unknown as Console
  let now = 0
  const waiting: (() => void)[] = []
  const leftOut: string[] = []
  const edge = new PageEdge({ hasFile: () => false, onLeftOut: (words) => leftOut.push(words), now: () => now })
  const send = (message: FromRunner) => {
    sent.push(message)
    expect(edge.take(message)).toEqual(message)
  }
  watchConsole(page, send, { now: () => now, later: (run) => waiting.push(run) })
  for (let second = 0; second < 5; second += 1) {
    for (let line = 0; line < 5_000; line += 1) page.log(line + second * 5_000)
    page.error('x'.repeat(50_000))
    now += 1_000
    for (const run of waiting.splice(0)) run()
  }
  expect(shown).toHaveLength(25_005)
  const texts = sent.map((message) => (message.type === 'console' ? message.text : ''))
  expect(texts.slice(0, 2)).toEqual(['0', '1'])
  expect(texts.filter((text) => text.includes('too fast'))).toHaveLength(5)
  expect(texts.at(-2)).toBe('24999')
  const counted = texts.reduce((sum, text) => sum + Number(/^(\d+) lines of/.exec(text)?.[1] ?? 1), 0)
  expect(counted).toBe(25_005)
  expect(leftOut).toEqual([])
})

import { expect, it } from 'vitest'
import type { FromRunner } from '../common/messages.ts'
import { PageEdge } from '../compile/pageEdge.ts'
import { watchConsole } from './watchConsole.ts'

it('BB981: a page that says more than can be shown says so once itself, and none of what it sends is too much', () => {
  const shown: unknown[] = []
  const sent: FromRunner[] = []
  const say = (...values: unknown[]) => shown.push(...values)
  const page = { log: say, info: say, warn: say, error: say, debug: say } as unknown as Console
  watchConsole(page, (message) => sent.push(message))
  for (let line = 0; line < 5_000; line += 1) page.log(line)
  page.error('x'.repeat(50_000))
  expect(shown).toHaveLength(5_001)
  const texts = sent.map((message) => message.type === 'console' && message.text)
  expect(texts.slice(0, 2)).toEqual(['0', '1'])
  expect(texts.filter((text) => String(text).includes('more than can be shown'))).toHaveLength(1)
  expect(sent.length).toBeLessThan(500)
  const leftOut: string[] = []
  const edge = new PageEdge({ hasFile: () => false, onLeftOut: (words) => leftOut.push(words), now: () => 0 })
  expect(sent.map((message) => edge.take(message))).toEqual(sent)
  expect(leftOut).toEqual([])
})

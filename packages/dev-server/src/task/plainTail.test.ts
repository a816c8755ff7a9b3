import { expect, it } from 'vitest'
import { plainTail } from './plainTail.ts'

it('TA15: the tail of a task is plain text without escape sequences and overwritten progress', () => {
  const output =
    '\u001B]0;title\u0007\u001B[1m\u001B[32mVITE\u001B[39m\u001B[0m ready\r\n10%\r50%\r100%\r\n\u001B[?25l\u001B(B  ➜ http://localhost\r\n\r\n'
  expect(plainTail(output, 20)).toBe('VITE ready\n100%\n  ➜ http://localhost')
  expect(plainTail('a\r\nb\r\nc\r\n', 2)).toBe('b\nc')
  expect(plainTail('', 5)).toBe('')
})

it('TA15: a screen that was cleared begins anew, and blank lines are few', () => {
  expect(plainTail('old\r\n\n\n\u001B[1;1H\u001B[0J\r\n\r\n\r\nnew\r\n\r\n\r\n\r\nend', 20)).toBe('new\n\nend')
  expect(plainTail('old\u001B[2J\u001B[3J\u001B[Hnew', 20)).toBe('new')
})

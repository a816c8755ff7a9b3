import { describe, expect, it } from 'vitest'
import { settleLineEnds } from './settleLineEnds.ts'

const mark = (spaces = 79) => `\x1b[1m\x1b[7m%\x1b[27m\x1b[1m\x1b[0m${' '.repeat(spaces)}\r \r`
const prompt = '\r\x1b[0m\x1b[27m\x1b[24m\x1b[J\x1b[36mapp\x1b[39m % \x1b[K\x1b[?1h\x1b=\x1b[?2004h'

describe('WB1086: the mark of zsh before a prompt', () => {
  it('is left out where it is written over at once', () => {
    expect(settleLineEnds(`${mark()}${prompt}`)).toBe(prompt)
    const typed = 'echo a\x1b[?1l\x1b>\x1b[?2004l\r\r\na\r\n'
    expect(settleLineEnds(`${prompt}${typed}${mark()}${prompt}`)).toBe(`${prompt}${typed}${prompt}`)
    const nothing = 'true\x1b[?1l\x1b>\x1b[?2004l\r\r\n\x1b]0;app\x07'
    expect(settleLineEnds(`${nothing}${mark(29)}${prompt}`)).toBe(`${nothing}${prompt}`)
  })

  it('stands at the end of a line that has none, whatever the width', () => {
    const shown = '\x1b[1m\x1b[7m%\x1b[27m\x1b[1m\x1b[0m\r\n'
    expect(settleLineEnds(`\r\nhi${mark()}${prompt}`)).toBe(`\r\nhi${shown}${prompt}`)
    expect(settleLineEnds(`\r\n\x1b[31mhi\x1b[0m${mark(29)}${prompt}`)).toBe(`\r\n\x1b[31mhi\x1b[0m${shown}${prompt}`)
  })

  it('is no other inverse sign', () => {
    const other = 'a\x1b[7m%\x1b[27m b\r\n100 %          \r \r'
    expect(settleLineEnds(other)).toBe(other)
  })
})

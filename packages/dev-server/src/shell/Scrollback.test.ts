import { describe, expect, it } from 'vitest'
import { lastLines, Scrollback, SCROLLBACK_LENGTH, SCROLLBACK_LINES } from './Scrollback.ts'

describe('scrollback', () => {
  it('SH18: holds the last 10,000 lines', () => {
    const scrollback = new Scrollback()
    for (let line = 1; line <= 25_000; line++) scrollback.append(`${line}\r\n`)
    const lines = scrollback.text().split('\r\n')
    expect(lines.length - 1).toBe(SCROLLBACK_LINES)
    expect(lines[0]).toBe('15001')
    expect(lines.at(-2)).toBe('25000')
  })

  it('SH18: holds the last million characters and begins with a whole line', () => {
    const scrollback = new Scrollback()
    for (let line = 0; line < 300; line++) scrollback.append(`${'x'.repeat(9998)}\r\n`)
    const text = scrollback.text()
    expect(text.length).toBeLessThanOrEqual(SCROLLBACK_LENGTH)
    expect(text.length).toBeGreaterThan(SCROLLBACK_LENGTH - 10_000)
    expect(text.length % 10_000).toBe(0)
  })

  it('SH18: output without line ends is bounded too and keeps its characters whole', () => {
    const scrollback = new Scrollback()
    for (let count = 0; count < 40; count++) scrollback.append('🙂'.repeat(50_000))
    const text = scrollback.text()
    expect(text.length).toBeLessThanOrEqual(SCROLLBACK_LENGTH + 1)
    expect(() => encodeURIComponent(text)).not.toThrow()
  })

  it('SH18: cleared it is empty', () => {
    const scrollback = new Scrollback()
    scrollback.append('x')
    scrollback.clear()
    expect(scrollback.text()).toBe('')
  })

  it.each([
    ['', 3, ''],
    ['a\nb\nc\nd\n', 2, 'c\nd\n'],
    ['a\nb\nc\nd', 2, 'c\nd'],
    ['a\nb', 5, 'a\nb'],
    ['\n\n\n', 2, '\n\n'],
  ])('SH18: of %j the last %i lines are %j', (text, lines, expected) => {
    expect(lastLines(text, lines, 100)).toBe(expected)
  })
})

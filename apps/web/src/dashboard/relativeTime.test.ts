import { expect, it } from 'vitest'
import { relativeTime } from './relativeTime.ts'

it('says how long ago in the largest unit that fits', () => {
  const now = new Date('2026-05-10T12:00:00Z')
  const ago = (seconds: number) => relativeTime(new Date(now.getTime() - seconds * 1000), now)
  expect(ago(0)).toBe('now')
  expect(ago(59)).toBe('now')
  expect(ago(60)).toBe('1 minute ago')
  expect(ago(3 * 3600 + 59)).toBe('3 hours ago')
  expect(ago(24 * 3600)).toBe('yesterday')
  expect(ago(70 * 24 * 3600)).toBe('2 months ago')
  expect(ago(800 * 24 * 3600)).toBe('2 years ago')
})

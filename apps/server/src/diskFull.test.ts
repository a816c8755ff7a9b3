import { expect, it } from 'vitest'
import { isDiskFull } from './diskFull.ts'

it('knows a full disk from what Node and other programs say, however deep', () => {
  expect(isDiskFull(Object.assign(new Error('write'), { code: 'ENOSPC' }))).toBe(true)
  const program = new Error('Command failed: initdb\nFATAL: could not write: No space left on device')
  expect(isDiskFull(new Error('PostgreSQL did not start', { cause: program }))).toBe(true)
  expect(isDiskFull(Object.assign(new Error('open'), { code: 'EACCES' }))).toBe(false)
  expect(isDiskFull('No space left on device')).toBe(false)
})

import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { SCROLLBACK_LENGTH } from './Scrollback.ts'
import { ManualTimers } from './manualTimers.ts'
import { ScrollbackFile } from './ScrollbackFile.ts'
import { systemTimers } from './Timers.ts'

let folder: string
const fail = (error: unknown): void => {
  throw error
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scrollback-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

it('SH18: on disk the output is bounded, and its end is always there', async () => {
  const file = new ScrollbackFile(join(folder, 'a.log'), systemTimers, fail)
  let written = ''
  for (let round = 0; round < 60; round++) {
    const text = `${round} ${'ü'.repeat(100_000)}\r\n`
    written += text
    file.append(text)
    if (round % 2 === 0) await file.flush()
  }
  await file.flush()
  let bytes = 0
  for (const name of await readdir(folder)) bytes += (await stat(join(folder, name))).size
  expect(bytes).toBeLessThan(4 * SCROLLBACK_LENGTH)
  const read = await new ScrollbackFile(join(folder, 'a.log'), systemTimers, fail).read()
  expect(written.endsWith(read)).toBe(true)
  expect(Buffer.byteLength(read)).toBeGreaterThanOrEqual(SCROLLBACK_LENGTH)
  await file.clear()
  expect(await readdir(folder)).toEqual([])
})

it('SH18: a flood between two writes keeps its end only', async () => {
  const file = new ScrollbackFile(join(folder, 'b.log'), systemTimers, fail)
  for (let round = 0; round < 100; round++) file.append(`${round} ${'x'.repeat(60_000)}\r\n`)
  await file.flush()
  const { size } = await stat(join(folder, 'b.log'))
  expect(size).toBeLessThan(SCROLLBACK_LENGTH + 70_000)
  expect(await file.read()).toMatch(/\r\n99 x+\r\n$/)
})

it('SH16: behind a flood the next write waits a second, and 100 ms again when the flood is over', async () => {
  const timers = new ManualTimers()
  const file = new ScrollbackFile(join(folder, 'c.log'), timers, fail)
  file.append('little')
  expect(timers.next).toBe(100)
  file.append('x'.repeat(200_000))
  timers.pass(100)
  file.append('more')
  expect(timers.next).toBe(1000)
  timers.pass(1000)
  file.append('the end')
  expect(timers.next).toBe(100)
  timers.pass(100)
  await file.flush()
  expect(await file.read()).toBe(`little${'x'.repeat(200_000)}morethe end`)
})

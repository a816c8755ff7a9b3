import { Emitter, type TextFile } from '@boxyard/dev-server-client'
import { afterEach, expect, it, vi } from 'vitest'
import { FileBackup } from './fileBackup.ts'
import type { LostEdit } from './lostEdit.ts'

afterEach(() => void vi.useRealTimers())

function backup() {
  const calls: string[] = []
  const done = new Emitter<void>()
  let unaccepted: ReturnType<TextFile['unaccepted']>
  const note = async (call: string) => {
    calls.push(call)
    await Promise.resolve()
    done.fire()
  }
  const errors: unknown[] = []
  const file = {
    get syncState() {
      return unaccepted ? 'SYNCING' : 'SYNCED'
    },
    unaccepted: () => unaccepted,
  } as TextFile
  const made = new FileBackup({
    file,
    store: {
      put: (page: string, { path, text }: LostEdit) => note(`put ${page} ${path} ${text}`),
      remove: (page: string, path: string) => note(`remove ${page} ${path}`),
    },
    of: { box: 'b', page: 'p', path: '/w/a' },
    onError: (error) => errors.push(error),
  })
  return {
    made,
    calls,
    errors,
    has: (text: string | undefined) => {
      unaccepted = text === undefined ? undefined : { known: '', sent: '', text }
      made.changed()
    },
    written: () => new Promise<void>((resolve) => void done.event(() => resolve())),
  }
}
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

it('WB480: what is not accepted is kept, the newest text last, and removed once it is accepted', async () => {
  const { made, calls, has, written, errors } = backup()
  has('a')
  await written()
  has('ab')
  has('abc')
  await written()
  expect(calls).toEqual(['put p /w/a a', 'put p /w/a abc'])
  has(undefined)
  await settled()
  expect(calls.at(-1)).toBe('remove p /w/a')
  has(undefined)
  made.flush()
  await settled()
  expect([calls.length, errors]).toEqual([3, []])
})

it('WB480: what is accepted at once is not written at all', async () => {
  const { made, calls, has } = backup()
  has('a')
  has(undefined)
  made.flush()
  await settled()
  expect(calls).toEqual([])
})

it('WB480: a page that goes keeps the newest text, also while an older one is being written', async () => {
  const { made, calls, has, written } = backup()
  has('a')
  made.flush()
  has('ab')
  made.flush()
  await written()
  await settled()
  expect(calls).toEqual(['put p /w/a a', 'put p /w/a ab'])
})

it('WB1100: each edit has its own time to be accepted', async () => {
  vi.useFakeTimers()
  const { calls, has } = backup()
  has('a')
  await vi.advanceTimersByTimeAsync(40)
  has(undefined)
  has('ab')
  await vi.advanceTimersByTimeAsync(40)
  expect(calls).toEqual([])
  await vi.advanceTimersByTimeAsync(20)
  expect(calls).toEqual(['put p /w/a ab'])
})

it('WB1100: what is typed while the box has not answered is written after a rest', async () => {
  vi.useFakeTimers()
  const { calls, has } = backup()
  has('a')
  await vi.advanceTimersByTimeAsync(50)
  has('ab')
  await vi.advanceTimersByTimeAsync(20)
  has('abc')
  expect(calls).toEqual(['put p /w/a a'])
  await vi.advanceTimersByTimeAsync(30)
  expect(calls).toEqual(['put p /w/a a', 'put p /w/a abc'])
})

import { beforeEach, afterEach, expect, it, vi } from 'vitest'
import { FILES_BROUGHT, FILES_CHANGED } from '../sandboxes/filesChanged.ts'
import { PackAhead } from './packAhead.ts'
import type { ProjectFiles } from './projectFiles.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const files: ProjectFiles = [['/package.json', '{}']]
const request = { dependencies: { lit: '3' }, specifiers: ['lit'] }
const brought = (sandboxId: string) => ({ type: FILES_BROUGHT, data: { sandboxId } })
const changed = (sandboxId: string, modules: string[], by: string | null = null) => ({
  type: FILES_CHANGED,
  data: { sandboxId, by, modules, directories: [], removedModules: [], removedDirectories: [] },
})

function start({
  ask = async () => [request],
  isUsed = () => false,
}: { ask?: () => Promise<(typeof request)[]>; isUsed?: () => boolean } = {}) {
  const read: [string, readonly string[] | undefined][] = []
  const packed: (string | null)[] = []
  const failures: unknown[] = []
  const ahead = new PackAhead({
    filesOf: async (id, modules) => {
      read.push([id, modules])
      return files
    },
    ask,
    isUsed,
    pack: async (id) => void packed.push(id),
    onFailure: (error) => failures.push(error),
  })
  return { ahead, read, packed, failures }
}

it('AP948: what is brought is packed at once, and what a program changes when it has stopped', async () => {
  const { ahead, read, packed } = start()
  await ahead.handle(brought('a'))
  await ahead.handle(changed('a', ['one']))
  await ahead.handle(changed('b', ['two']))
  await ahead.handle(changed('b', ['three']))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(read).toEqual([
    ['a', undefined],
    ['b', ['two', 'three']],
  ])
  expect(packed).toEqual(['a', 'b'])
})

it('AP948: a page that changes files packs for itself', async () => {
  const { ahead, read } = start()
  await ahead.handle(changed('a', ['one'], 'page'))
  await ahead.handle(changed('a', []))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(read).toEqual([])
})

it('AP948: one that can not be packed keeps none from it', async () => {
  const ask = vi.fn(async () => [request]).mockRejectedValueOnce(new Error('no compiler'))
  const { ahead, packed, failures } = start({ ask })
  await ahead.handle(brought('a'))
  await ahead.handle(brought('b'))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(failures).toEqual([new Error('no compiler')])
  expect(packed).toEqual(['b'])
})

it('AP949: templates are packed when nobody has asked for anything for a minute', async () => {
  const { ahead, packed } = start()
  const template = async () => files
  ahead.packInQuiet([template, template])
  await vi.advanceTimersByTimeAsync(59_000)
  ahead.asked()
  await vi.advanceTimersByTimeAsync(59_000)
  expect(packed).toEqual([])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(packed).toEqual([null, null])
  ahead.asked()
  await vi.advanceTimersByTimeAsync(120_000)
  expect(packed).toEqual([null, null])
})

it('AP949: somebody who comes meanwhile is not disturbed by the next one', async () => {
  const { ahead, packed } = start()
  let isRead: (read: ProjectFiles) => void = () => undefined
  ahead.packInQuiet([() => new Promise((resolve) => (isRead = resolve)), async () => files])
  await vi.advanceTimersByTimeAsync(60_000)
  ahead.asked()
  isRead(files)
  await vi.advanceTimersByTimeAsync(59_000)
  expect(packed).toEqual([null])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(packed).toEqual([null, null])
})

it('AP949: nothing of that is done while somebody is connected', async () => {
  const isUsed = vi.fn(() => true)
  const { ahead, packed } = start({ isUsed })
  ahead.packInQuiet([async () => files])
  await vi.advanceTimersByTimeAsync(180_000)
  expect([packed, isUsed.mock.calls.length]).toEqual([[], 3])
  isUsed.mockReturnValue(false)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(packed).toEqual([null])
})

it('AP948: a server that stops begins nothing any more', async () => {
  const { ahead, packed } = start()
  ahead.packInQuiet([async () => files])
  await ahead.handle(brought('a'))
  ahead.close()
  await ahead.handle(brought('b'))
  await vi.advanceTimersByTimeAsync(120_000)
  expect(packed).toEqual([])
})

import { beforeEach, afterEach, expect, it, vi } from 'vitest'
import type { PackRequest } from '@boxyard/packer'
import { FILES_BROUGHT, FILES_CHANGED } from '../sandboxes/filesChanged.ts'
import { PrepareAhead } from './prepareAhead.ts'
import type { Ahead } from './lookInProcess.ts'
import type { ProjectFiles } from './projectFiles.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const files: ProjectFiles = [['/package.json', '{}']]
const request = { dependencies: { lit: '3' }, specifiers: ['lit'] }
const found: Pick<Ahead, 'questions' | 'sources' | 'types'> = { questions: [request], sources: null, types: null }
const brought = (sandboxId: string) => ({ type: FILES_BROUGHT, data: { sandboxId } })
const changed = (sandboxId: string, modules: string[], by: string | null = null) => ({
  type: FILES_CHANGED,
  data: { sandboxId, by, modules, directories: [], removedModules: [], removedDirectories: [] },
})

function start({
  look = async () => found,
  isUsed = () => false,
  guess = () => null,
  pack = async () => undefined,
}: {
  look?: () => Promise<typeof found>
  isUsed?: () => boolean
  guess?: () => PackRequest | null
  pack?: () => Promise<unknown>
} = {}) {
  const read: string[] = []
  const packed: (string | null)[] = []
  const more: unknown[] = []
  const failures: unknown[] = []
  const ahead = new PrepareAhead({
    filesOf: async (id) => {
      read.push(id)
      return files
    },
    look,
    isUsed,
    guess,
    pack(id) {
      packed.push(id)
      return pack()
    },
    sources: async (id, { dependencies }) => void more.push(['sources', id, dependencies]),
    types: async ({ dependencies }) => void more.push(['types', dependencies]),
    onFailure: (error) => failures.push(error),
  })
  return { ahead, read, packed, more, failures }
}

it('AP948: what is brought is made ready at once, and what a program changes when it has stopped', async () => {
  const { ahead, read, packed } = start()
  await ahead.handle(brought('a'))
  await ahead.handle(changed('b', ['two']))
  await vi.advanceTimersByTimeAsync(600)
  expect(read).toEqual(['a'])
  await ahead.handle(changed('b', ['three']))
  await vi.advanceTimersByTimeAsync(600)
  expect(read).toEqual(['a'])
  await vi.advanceTimersByTimeAsync(400)
  expect([read, packed]).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ])
})

it('AP961: what a person edits is made ready when the edits have ended for a while', async () => {
  const { ahead, read } = start()
  await ahead.handle(changed('a', ['one'], 'page'))
  await vi.advanceTimersByTimeAsync(19_000)
  await ahead.handle(changed('a', ['one'], 'page'))
  await vi.advanceTimersByTimeAsync(19_000)
  expect(read).toEqual([])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(read).toEqual(['a'])
})

it('AP961: what is opened and not ready is made ready for the next visit, and waits no longer for that than before', async () => {
  const look = vi.fn(async () => found)
  const { ahead } = start({ look })
  ahead.opened('a')
  await vi.advanceTimersByTimeAsync(9_000)
  ahead.opened('a')
  expect(look).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(look).toHaveBeenCalledOnce()
})

it('AP937: what is brought is packed as it seems to be before it is looked through', async () => {
  let lookEnds: () => void = () => undefined
  const look = () => new Promise<typeof found>((resolve) => (lookEnds = () => resolve(found)))
  const { ahead, packed } = start({ look, guess: () => request })
  await ahead.handle(brought('a'))
  await vi.advanceTimersByTimeAsync(0)
  expect(packed).toEqual(['a'])
  lookEnds()
  await vi.advanceTimersByTimeAsync(0)
  expect(packed).toEqual(['a', 'a'])
})

it('AP937: what is opened and not ready is packed at once, once, unless it is being made ready', async () => {
  const { ahead, read, packed } = start({ guess: () => request })
  ahead.opened('a')
  ahead.opened('a')
  await vi.advanceTimersByTimeAsync(0)
  expect([read, packed]).toEqual([['a'], ['a']])
  await ahead.handle(changed('b', ['one'], 'page'))
  ahead.opened('b')
  await vi.advanceTimersByTimeAsync(0)
  expect(packed).toEqual(['a'])
})

it('AP937: where two are being packed as they seem to be, others are left to what compiles them', async () => {
  const { ahead, read } = start({ guess: () => request, pack: () => new Promise(() => undefined) })
  for (const id of ['a', 'b', 'c']) ahead.opened(id)
  await vi.advanceTimersByTimeAsync(0)
  expect(read).toEqual(['a', 'b'])
})

it('AP948: one that can not be packed keeps none from it', async () => {
  const look = vi.fn(async () => found).mockRejectedValueOnce(new Error('no compiler'))
  const { ahead, packed, failures } = start({ look })
  await ahead.handle(brought('a'))
  await ahead.handle(brought('b'))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(failures).toEqual([new Error('no compiler')])
  expect(packed).toEqual(['b'])
})

it('AP949: templates are packed when nobody has asked for anything for a minute', async () => {
  const { ahead, packed } = start()
  const template = async () => files
  ahead.prepareInQuiet([template, template])
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

it('AP990: with the packs, the tree of a server that starts by itself is made, and for templates the declarations', async () => {
  const dependencies = { express: '5' }
  const look = async () => ({ questions: [], sources: { dependencies }, types: { dependencies } })
  const { ahead, more } = start({ look })
  await ahead.handle(brought('a'))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(more.splice(0)).toEqual([['sources', 'a', dependencies]])
  ahead.prepareInQuiet([async () => files])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(more).toEqual([
    ['sources', null, dependencies],
    ['types', dependencies],
  ])
})

it('AP990: templates are looked at again each day, in a quiet minute', async () => {
  const { ahead, packed } = start()
  ahead.prepareInQuiet([async () => files])
  await vi.advanceTimersByTimeAsync(24 * 60 * 60 * 1000)
  expect(packed).toEqual([null])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(packed).toEqual([null, null])
  ahead.close()
  expect(vi.getTimerCount()).toBe(0)
})

it('AP949: somebody who comes meanwhile is not disturbed by the next one', async () => {
  const { ahead, packed } = start()
  let isRead: (read: ProjectFiles) => void = () => undefined
  ahead.prepareInQuiet([() => new Promise((resolve) => (isRead = resolve)), async () => files])
  await vi.advanceTimersByTimeAsync(60_000)
  ahead.asked()
  isRead(files)
  await vi.advanceTimersByTimeAsync(59_000)
  expect(packed).toEqual([null])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(packed).toEqual([null, null])
})

it('AP990: a template that takes longer than the quiet is long keeps none from its turn', async () => {
  const { ahead, packed } = start()
  const begun: string[] = []
  let isRead: (read: ProjectFiles) => void = () => undefined
  const slow = () => {
    begun.push('slow')
    return begun.length === 1 ? new Promise<ProjectFiles>((resolve) => (isRead = resolve)) : Promise.resolve(files)
  }
  const next = async () => {
    begun.push('next')
    return files
  }
  ahead.prepareInQuiet([slow, next])
  await vi.advanceTimersByTimeAsync(60_000)
  ahead.asked()
  await vi.advanceTimersByTimeAsync(60_000)
  isRead(files)
  await vi.advanceTimersByTimeAsync(60_000)
  expect([begun.at(-1), packed.length]).toEqual(['next', 3])
})

it('AP949: nothing of that is done while somebody is connected', async () => {
  const isUsed = vi.fn(() => true)
  const { ahead, packed } = start({ isUsed })
  ahead.prepareInQuiet([async () => files])
  await vi.advanceTimersByTimeAsync(180_000)
  expect([packed, isUsed.mock.calls.length]).toEqual([[], 3])
  isUsed.mockReturnValue(false)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(packed).toEqual([null])
})

it('AP948: a server that stops begins nothing any more', async () => {
  const { ahead, packed } = start()
  ahead.prepareInQuiet([async () => files])
  await ahead.handle(brought('a'))
  ahead.close()
  await ahead.handle(brought('b'))
  await vi.advanceTimersByTimeAsync(120_000)
  expect(packed).toEqual([])
})

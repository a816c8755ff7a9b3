import type { DevServerClient, TextFile } from '@boxyard/dev-server-client'
import { afterEach, expect, it, vi } from 'vitest'
import { MemoryRoom } from '../testing/memoryRoom.ts'
import { MemoryStorage, MemoryTexts } from '../testing/memoryStorage.ts'
import { startSandbox } from '../testing/startSandbox.ts'
import { Room } from './room.ts'
import type { SandboxPlace } from './sandboxServer.ts'

const clients: DevServerClient[] = []
afterEach(() => {
  for (const client of clients.splice(0)) client.dispose()
})

interface Place extends SandboxPlace {
  storage: MemoryStorage
  unsent: MemoryTexts
  meeting: MemoryRoom
}

function placeOf(
  storage: MemoryStorage,
  username: string,
  previewHost: string,
  meeting = new MemoryRoom(storage),
): Place {
  const api = `http://app.test/api/v1/sandboxes/${previewHost}`
  return { storage, unsent: new MemoryTexts(), meeting, room: new Room(meeting.link(username)), previewHost, api }
}

async function open(place: Place, access: 'read' | 'write', fork: (() => Promise<SandboxPlace>) | null) {
  const page = await startSandbox({ ...place, access, fork })
  const client = await page.connect()
  clients.push(client)
  return client
}

/** Somebody else's sandbox, opened by a person who may look at it and make a copy. */
async function start({ unsent }: { unsent?: MemoryTexts } = {}) {
  const original = placeOf(
    new MemoryStorage({ 'App.tsx': 'one\n', 'other.ts': 'two\n', 'package.json': '{}' }),
    'ada',
    'original-8080.preview.test',
  )
  if (unsent) original.unsent = unsent
  const copies: Place[] = []
  const fork = vi.fn<() => Promise<SandboxPlace>>(async () => {
    // As the platform does it: the saved files under the names they have.
    const storage = new MemoryStorage({})
    for (const [id, module] of original.storage.modules) storage.modules.set(id, { ...module })
    const copy = placeOf(storage, 'ada', 'copy-8080.preview.test')
    copies.push(copy)
    return copy
  })
  const client = await open(original, 'read', fork)
  const openText = async (path: string) => (await client.files.open(path)) as TextFile
  return { original, copies, fork, client, openText }
}
const append = (file: TextFile, added: string) => file.edit([file.text.length, added])

it('BB600: what somebody types into a sandbox that they may not change is in a copy of their own, every character, and the original stays', async () => {
  const { original, copies, fork, client, openText } = await start()
  const file = await openText('App.tsx')
  for (const character of 'three') append(file, character)
  await vi.waitUntil(() => copies[0]?.meeting.textOf('App.tsx') === 'one\nthree')
  append(file, '!')
  await file.save()
  expect(copies[0]!.storage.codeOf('App.tsx')).toBe('one\nthree!')
  expect([original.storage.codeOf('App.tsx'), original.meeting.textOf('App.tsx')]).toEqual(['one\n', 'one\n'])
  await client.fs.writeFile('/nodebox/new.ts', new TextEncoder().encode('x'), { create: true, overwrite: false })
  expect([copies[0]!.storage.codeOf('new.ts'), original.storage.codeOf('new.ts')]).toEqual(['x', undefined])
  expect(fork).toHaveBeenCalledTimes(1)
})

it('BB601: changes at the same time make one copy, and looking makes none', async () => {
  const { copies, fork, client, openText } = await start()
  const [first, second] = [await openText('App.tsx'), await openText('other.ts')]
  await first.save()
  expect(fork).toHaveBeenCalledTimes(0)
  append(first, 'a')
  append(second, 'b')
  await client.fs.mkdir('/nodebox/folder')
  await vi.waitUntil(() => copies[0]?.meeting.textOf('App.tsx') === 'one\na')
  await vi.waitUntil(() => copies[0]?.meeting.textOf('other.ts') === 'two\nb')
  expect([...copies[0]!.storage.directories.values()].map(({ title }) => title)).toEqual(['folder'])
  expect(fork).toHaveBeenCalledTimes(1)
})

it('BB602: texts come along as they are shown, with what their author has not saved', async () => {
  const { original, copies, openText } = await start()
  const author = await open(placeOf(original.storage, 'grace', '', original.meeting), 'write', null)
  const theirs = (await author.files.open('other.ts')) as TextFile
  append(theirs, 'not saved')
  const [mine, seen] = [await openText('App.tsx'), await openText('other.ts')]
  await vi.waitUntil(() => seen.text === 'two\nnot saved')
  append(mine, '!')
  await vi.waitUntil(() => copies[0]?.meeting.textOf('other.ts') === 'two\nnot saved')
  expect([copies[0]!.storage.codeOf('other.ts'), seen.isDirty]).toEqual(['two\n', true])
  // From here the two go their own ways.
  append(theirs, ', nor copied')
  append(seen, ', mine')
  await vi.waitUntil(() => copies[0]!.meeting.textOf('other.ts') === 'two\nnot saved, mine')
  await vi.waitUntil(() => original.meeting.textOf('other.ts') === 'two\nnot saved, nor copied')
})

it('BB603: what this device has kept of a sandbox that may not be changed any more waits here, and goes into the copy', async () => {
  const unsent = new MemoryTexts()
  const left = { client: 'before', sequence: 0, revision: null, base: 'one\n', inFlight: null, text: 'one\nkept' }
  unsent.texts.set('m1', left)
  const { original, copies, openText } = await start({ unsent })
  const file = await openText('App.tsx')
  expect(file.text).toBe('one\nkept')
  await vi.waitUntil(() => original.meeting.textOf('App.tsx') !== undefined)
  expect(unsent.texts.get('m1')).toEqual(left)
  append(file, ' and more')
  await vi.waitUntil(() => copies[0]?.meeting.textOf('App.tsx') === 'one\nkept and more')
  expect([original.meeting.textOf('App.tsx'), unsent.texts.size]).toEqual(['one\n', 0])
})

it('BB604: where no copy can be made what was typed stays in its page, and the next try has it', async () => {
  const { copies, fork, client, openText } = await start()
  const failures: string[] = []
  client.onSyncFailure(({ error }) => failures.push(error.message))
  fork.mockRejectedValueOnce(new Error('Your drafts are full'))
  const file = await openText('App.tsx')
  append(file, 'typed')
  await vi.waitUntil(() => file.syncState === 'OUT_OF_SYNC')
  expect([file.text, failures]).toEqual(['one\ntyped', ['Your drafts are full']])
  await file.resolve('client')
  await vi.waitUntil(() => copies[0]?.meeting.textOf('App.tsx') === 'one\ntyped')
})

it('BB605: the preview and the people are those of the copy', async () => {
  const { original, copies, client, openText } = await start()
  await open(placeOf(original.storage, 'grace', '', original.meeting), 'write', null)
  await vi.waitUntil(() => client.clients.all.some(({ username }) => username === 'grace'))
  append(await openText('App.tsx'), 'x')
  await vi.waitUntil(() => client.ports.all[0]?.url === 'copy-8080.preview.test')
  expect(client.clients.all.map(({ username }) => username)).toEqual(['ada'])
  await open(placeOf(copies[0]!.storage, 'linus', '', copies[0]!.meeting), 'write', null)
  await vi.waitUntil(() => client.clients.all.some(({ username }) => username === 'linus'))
})

import type { DevServerClient, TextFile } from '@boxyard/dev-server-client'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { MemoryStorage } from '../testing/memoryStorage.ts'
import { startSandbox } from '../testing/startSandbox.ts'
import { serverAway } from './restStorage.ts'

const clients: DevServerClient[] = []
afterEach(() => {
  for (const client of clients.splice(0)) client.dispose()
})
const once = { create: true, overwrite: false }
const bytes = (content: string) => new TextEncoder().encode(content)

/** A platform that holds back the next answers, one after the other. */
class HeldStorage extends MemoryStorage {
  readonly asked: string[] = []
  readonly #held: { answer(): void; lose(): void }[] = []
  isHeld = false

  override async createModule(given: Parameters<MemoryStorage['createModule']>[0]) {
    this.asked.push(given.title)
    const made = await super.createModule(given)
    if (this.isHeld)
      await new Promise<void>((resolve, reject) =>
        this.#held.push({ answer: resolve, lose: () => reject(serverAway()) }),
      )
    return made
  }

  get next() {
    return this.#held.shift()!
  }
}

async function start() {
  const storage = new HeldStorage({ 'a.ts': 'one' })
  const page = await startSandbox({ storage })
  const client = await page.connect()
  clients.push(client)
  return { ...page, storage, client }
}

describe('what the platform has not answered', () => {
  it('BB1031: is not acknowledged, and nothing overtakes it', async () => {
    const { client, storage, shown } = await start()
    storage.isHeld = true
    const answered: string[] = []
    const write = (name: string) =>
      client.fs.writeFile(`/nodebox/${name}`, bytes(name), once).then(() => answered.push(name))
    const [first, second] = [write('first.ts'), write('second.ts')]
    await vi.waitUntil(() => storage.asked.length > 0)
    // Whoever asks later is answered: the first one is not lost, it waits.
    expect(await client.fs.readdir('/nodebox')).toHaveLength(1)
    expect([storage.asked, answered, shown.has('/first.ts')]).toEqual([['first.ts'], [], false])
    storage.next.answer()
    await first
    await vi.waitUntil(() => storage.asked.length === 2)
    expect(answered).toEqual(['first.ts'])
    storage.next.answer()
    await second
    expect(answered).toEqual(['first.ts', 'second.ts'])
  })

  it('BB1031: a failure takes back what the client has shown, and those behind it go on', async () => {
    const { client, storage } = await start()
    const { tree } = client.fs
    const create = (name: string) =>
      tree.operation({ type: 'create', parentId: '0', newEntry: { id: crypto.randomUUID(), type: 0, name } })
    await storage.createModule({ title: 'taken.ts', directoryShortid: null, code: '', isBinary: false })
    const [failed, made] = [create('taken.ts'), create('free.ts')]
    expect(tree.idOf('taken.ts')).toBeDefined()
    await expect(failed).rejects.toThrow('File already exists')
    await made
    expect([tree.idOf('taken.ts'), tree.idOf('free.ts') !== undefined]).toEqual([undefined, true])
  })

  it('BB1032: what was stored although its answer was lost is there after all', async () => {
    const { client, storage, shown } = await start()
    storage.isHeld = true
    const asked = client.fs.writeFile('/nodebox/made.ts', bytes('made'), once)
    await vi.waitUntil(() => storage.asked.length > 0)
    storage.next.lose()
    await expect(asked).rejects.toThrow('Something went wrong when creating a new file')
    await vi.waitUntil(() => client.fs.tree.idOf('made.ts') !== undefined)
    expect(shown.get('/made.ts')).toBe('made')
    await expect(client.fs.writeFile('/nodebox/made.ts', bytes(''), once)).rejects.toThrow('File already exists')
  })

  it('BB1032: with the room away it is there when the room is back', async () => {
    const { client, storage, meeting } = await start()
    storage.isHeld = true
    const asked = client.fs.writeFile('/nodebox/made.ts', bytes('made'), once)
    await vi.waitUntil(() => storage.asked.length > 0)
    meeting.goAway()
    await vi.waitUntil(() => client.fs.tree.idOf('a.ts') !== undefined)
    storage.next.lose()
    await expect(asked).rejects.toThrow('Something went wrong')
    meeting.comeBack()
    await vi.waitUntil(() => client.fs.tree.idOf('made.ts') !== undefined)
  })

  it('BB1033: a save that nobody answers is not acknowledged, and what was typed stays on this device', async () => {
    const { client, storage, meeting, unsent } = await start()
    const file = (await client.files.open('a.ts')) as TextFile
    await vi.waitUntil(() => meeting.textOf('a.ts') !== undefined)
    meeting.isMute = true
    file.edit([3, ' two'])
    const saved = vi.fn()
    const save = file.save().then(saved)
    await vi.waitUntil(() => [...unsent.texts.values()][0]?.text === 'one two')
    await vi.waitUntil(() => meeting.textOf('a.ts') === 'one two')
    expect([saved.mock.calls, storage.codeOf('a.ts')]).toEqual([[], 'one'])
    meeting.goAway()
    await expect(save).rejects.toThrow('The server does not answer. What you typed is kept on this device.')
    expect([[...unsent.texts.values()][0]?.text, file.isDirty]).toEqual(['one two', true])
    meeting.comeBack()
    await vi.waitUntil(() => unsent.texts.size === 0)
    await file.save()
    expect(storage.codeOf('a.ts')).toBe('one two')
  })
})

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { DevServerClient } from '../devServerClient.ts'
import type { TextFile } from '../api.ts'

/** A back end whose workspace holds `a.txt` with `start\n`, and nothing else. */
export interface ContractSubject {
  workspacePath: string
  connect(username: string): Promise<DevServerClient>
  stop(): Promise<void>
}

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (content: Uint8Array) => new TextDecoder().decode(content)
const patient = { timeout: 60_000 }

async function openText(client: DevServerClient, path: string): Promise<TextFile> {
  const file = await client.files.open(path)
  if (file.kind !== 'text') throw new Error(`${path} is no text`)
  return file
}

/** The rules of SPEC-contract.md, for one back end. */
export function describeDevServer(name: string, start: () => Promise<ContractSubject>): void {
  describe(`the contract of dev servers, kept by ${name}`, () => {
    let subject: ContractSubject
    beforeEach(async () => {
      subject = await start()
    })
    afterEach(() => subject.stop())
    const at = (path: string) => `${subject.workspacePath}/${path}`

    it('BB240: is connected, with every area there', async () => {
      const client = await subject.connect('ada')
      await Promise.all([client.fs.tree.ready, client.tasks.ready, client.ports.ready, client.setup.ready])
      expect(client.connection.state.kind).toBe('CONNECTED')
      expect(client.clients.self?.username).toBe('ada')
      expect(client.fs.tree.idOf('a.txt')).toBeDefined()
    })

    it('BB241: keeps files', async () => {
      const { fs } = await subject.connect('ada')
      const options = { create: true, overwrite: true }
      await fs.mkdir(at('one/two'), { recursive: true })
      await fs.writeFile(at('one/two/file.txt'), bytes('héllo'), options)
      expect(text(await fs.readFile(at('one/two/file.txt')))).toBe('héllo')
      expect(await fs.stat(at('one/two/file.txt'))).toMatchObject({ type: 0, size: 6, isSymlink: false })
      expect((await fs.readdir(at('one'))).map((entry) => [entry.name, entry.type])).toEqual([['two', 1]])
      await fs.copy(at('one'), at('copy'), { recursive: true })
      await fs.rename(at('one/two/file.txt'), at('moved.txt'))
      expect(text(await fs.readFile(at('copy/two/file.txt')))).toBe('héllo')
      expect(text(await fs.readFile(at('moved.txt')))).toBe('héllo')
      expect(await fs.readdir(at('one/two'))).toEqual([])
      const binary = Uint8Array.from({ length: 256 }, (_, index) => index)
      await fs.writeFile(at('data.bin'), binary, options)
      expect([...(await fs.readFile(at('data.bin')))]).toEqual([...binary])
      await fs.remove(at('copy'), { recursive: true })
      await expect(fs.readFile(at('copy/two/file.txt'))).rejects.toMatchObject({ data: { errno: 2 } })
    })

    it('BB242: says what is wrong with a file by the number of the system', async () => {
      const { fs } = await subject.connect('ada')
      const once = { create: true, overwrite: false }
      await expect(fs.readFile(at('none'))).rejects.toMatchObject({ data: { errno: 2 } })
      await expect(fs.stat(at('none'))).rejects.toMatchObject({ data: { errno: 2 } })
      await expect(fs.readdir(at('none'))).rejects.toMatchObject({ data: { errno: 2 } })
      await expect(fs.remove(at('none'))).rejects.toMatchObject({ data: { errno: 2 } })
      await expect(fs.mkdir(at('no/such/folder'))).rejects.toMatchObject({ data: { errno: 2 } })
      await expect(fs.writeFile(at('a.txt'), bytes(''), once)).rejects.toMatchObject({ data: { errno: 17 } })
      expect(text(await fs.readFile(at('a.txt')))).toBe('start\n')
    })

    it('BB243: tells every client of the tree', async () => {
      const [ada, bob] = [await subject.connect('ada'), await subject.connect('bob')]
      await Promise.all([ada.fs.tree.ready, bob.fs.tree.ready])
      const id = crypto.randomUUID()
      const parentId = ada.fs.tree.idOf('')!
      await ada.fs.tree.operation({ type: 'create', parentId, newEntry: { id, type: 0, name: 'made.txt' } })
      await vi.waitUntil(() => bob.fs.tree.idOf('made.txt') !== undefined, patient)
      await bob.fs.tree.operation({ type: 'move', id: bob.fs.tree.idOf('made.txt')!, name: 'named.txt' })
      await vi.waitUntil(() => ada.fs.tree.idOf('named.txt') !== undefined, patient)
      expect(ada.fs.tree.idOf('made.txt')).toBeUndefined()
      await ada.fs.tree.operation({ type: 'delete', id: ada.fs.tree.idOf('named.txt')! })
      await vi.waitUntil(() => bob.fs.tree.idOf('named.txt') === undefined, patient)
    })

    it('BB244: brings together what two type at the same time', async () => {
      const [ada, bob] = [await subject.connect('ada'), await subject.connect('bob')]
      const [left, right] = [await openText(ada, 'a.txt'), await openText(bob, 'a.txt')]
      let resyncs = 0
      for (const file of [left, right]) file.onDidResync(() => (resyncs += 1))
      for (let round = 0; round < 30; round += 1) {
        left.edit(['a', left.text.length])
        right.edit([right.text.length, 'b'])
        if (round % 5 === 0) await new Promise((resolve) => setImmediate(resolve))
      }
      const whole = 'start\n'.length + 60
      const isDone = (file: TextFile) => file.text.length === whole && file.pendingOperations === 0
      await vi.waitUntil(() => isDone(left) && isDone(right), patient)
      expect([left.text, right.text]).toEqual(Array(2).fill(`${'a'.repeat(30)}start\n${'b'.repeat(30)}`))
      expect(resyncs).toBe(0)
    })

    it('BB245: stores what is saved, and tells everybody', async () => {
      const [ada, bob] = [await subject.connect('ada'), await subject.connect('bob')]
      const [left, right] = [await openText(ada, 'a.txt'), await openText(bob, 'a.txt')]
      left.edit([left.text.length, 'more\n'])
      await vi.waitUntil(() => right.isDirty, patient)
      expect(text(await bob.fs.readFile(at('a.txt')))).toBe('start\n')
      await left.save()
      await vi.waitUntil(() => !left.isDirty && !right.isDirty, patient)
      expect(text(await bob.fs.readFile(at('a.txt')))).toBe('start\nmore\n')
    })

    it('BB246: takes over what is written past an open text', async () => {
      const [ada, bob] = [await subject.connect('ada'), await subject.connect('bob')]
      const file = await openText(ada, 'a.txt')
      await bob.fs.writeFile(at('a.txt'), bytes('begin\nstart\n'), { create: false, overwrite: true })
      await vi.waitUntil(() => file.text === 'begin\nstart\n' && !file.isDirty, patient)
    })

    it('BB247: shows clients to each other, and where they are', async () => {
      const ada = await subject.connect('ada')
      const bob = await subject.connect('bob')
      await vi.waitUntil(() => ada.clients.all.length === 2 && bob.clients.all.length === 2, patient)
      const [left, right] = [await openText(ada, 'a.txt'), await openText(bob, 'a.txt')]
      right.setSelection([{ anchor: 1, head: 3 }])
      await vi.waitUntil(() => left.selections.size === 1, patient)
      expect([...left.selections]).toEqual([[bob.clients.self!.clientId, [{ anchor: 1, head: 3 }]]])
      bob.dispose()
      await vi.waitUntil(() => left.selections.size === 0 && ada.clients.all.length === 1, patient)
    })

    it('BB248: finds texts and files', async () => {
      const { fs } = await subject.connect('ada')
      await fs.writeFile(at('b.txt'), bytes('one\nneedle two\n'), { create: true, overwrite: true })
      expect(await fs.search({ text: 'needle' })).toMatchObject([{ lineNumber: 2, submatches: [{ start: 0, end: 6 }] }])
      expect(await fs.search({ text: 'nothing like it' })).toEqual([])
      expect((await fs.pathSearch('b.t')).map(({ path }) => path)).toEqual(['b.txt'])
    })

    it('BB249: refuses what it does not know', async () => {
      const { connection } = await subject.connect('ada')
      await expect(connection.request('no/such' as 'fs/read', {} as never)).rejects.toThrow()
      await expect(connection.request('fs/readFile', { path: 7 } as never)).rejects.toThrow()
      await expect(connection.request('file/save', { id: 'unknown' })).rejects.toThrow()
    })
  })
}

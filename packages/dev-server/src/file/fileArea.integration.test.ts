import { appendFile, chmod, mkdir, open as openFile, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { apply } from '@boxyard/ot'
import { encode, savedHash, type FileObject, type TreeNode } from '@boxyard/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { frameRecord } from '../journal/recordFrame.ts'
import { startDevServer, type DevServer } from '../devServer.ts'
import { createLog } from '../log.ts'
import { createTestBox, type TestBox } from '../testing/testBox.ts'
import { TestClient } from '../testing/testClient.ts'

describe('file area', () => {
  let box: TestBox
  let server: DevServer
  let ada: TestClient
  let bob: TestClient

  const start = (): Promise<DevServer> =>
    startDevServer(
      box.configuration,
      createLog(() => undefined),
    )
  const join_ = async (username: string, access: 'read' | 'write' = 'write', query = ''): Promise<TestClient> =>
    TestClient.join(box.configuration.socket, await box.token({ username, access }), { query })
  const at = (name: string): string => join(box.configuration.workspace, name)
  const idOf = async (name: string): Promise<string> => {
    const { treeNodes } = await ada.call('fs/read', null)
    const found = (treeNodes as TreeNode[]).find((node) => node.name === name)
    if (!found) throw new Error(`${name} is not in the tree`)
    return found.id
  }
  const open = async (client: TestClient, name = 'a.txt'): Promise<FileObject> =>
    client.call('file/open', { id: await idOf(name) })
  const type = (
    client: TestClient,
    file: FileObject,
    operation: (number | string)[],
    revision: number,
  ): Promise<unknown> => client.call('file/documentOperation', { id: file.id, operation, revision })
  const revisionOf = (file: FileObject): number => file.document?.revision ?? -1

  beforeEach(async () => {
    box = await createTestBox()
    await writeFile(at('a.txt'), 'hello')
    await chmod(at('a.txt'), 0o640)
    server = await start()
    ada = await join_('ada')
    bob = await join_('bob')
  })
  afterEach(async () => {
    await server.stop()
    await box.remove()
  })

  it('FILE1: opening answers the text, its hash, the revision and who is there', async () => {
    const file = await open(ada)
    expect(file).toMatchObject({ isBinary: false, content: 'hello', savedHash: savedHash('hello') })
    expect(file.clients).toEqual({ [ada.clientId]: { username: 'ada' } })
    expect(file.document?.clients).toEqual({ [ada.clientId]: null })
    const again = await open(bob)
    expect(Object.keys(again.clients)).toEqual([ada.clientId, bob.clientId])
    expect(await ada.next('file/join')).toEqual({
      id: file.id,
      isBinary: false,
      clientId: bob.clientId,
      username: 'bob',
    })
    await bob.call('file/close', { id: file.id })
    expect(await ada.next('file/leave')).toMatchObject({ clientId: bob.clientId })
    await expect(ada.call('file/open', { id: 'unknown' })).rejects.toMatchObject({ code: 100 })
    await expect(bob.call('file/save', { id: file.id })).rejects.toMatchObject({ code: 100 })
  })

  it('FILE2: concurrent operations converge, each at its place in one order', async () => {
    const file = await open(ada)
    await open(bob)
    const base = revisionOf(file)
    // Both are based on the same revision and insert at one position: the one rebased stands left.
    const [first, second] = await Promise.all([type(ada, file, [5, ' ada'], base), type(bob, file, [5, ' bob'], base)])
    expect([first, second]).toEqual([
      { id: file.id, revision: base + 1 },
      { id: file.id, revision: base + 2 },
    ])
    expect(await ada.next('file/documentOperation')).toEqual({
      id: file.id,
      operation: [5, ' bob', 4],
      revision: base + 2,
      reason: 0,
    })
    expect((await open(ada)).content).toBe('hello bob ada')
  })

  it('FILE3: on each socket the answer stands between the notifications at its revision', async () => {
    const file = await open(ada)
    await open(bob)
    const base = revisionOf(file)
    const rounds = 60
    await Promise.all(
      Array.from({ length: rounds }, async () => {
        await Promise.all([type(ada, file, [5, 'a'], base), type(bob, file, [5, 'b'], base)])
      }),
    )
    for (const client of [ada, bob]) {
      await client.until(() => revisions(client).length === 2 * rounds)
      expect(revisions(client)).toEqual(Array.from({ length: 2 * rounds }, (_, index) => base + index + 1))
    }
  })

  it('FILE4: what does not fit is refused and changes nothing', async () => {
    const file = await open(ada)
    const base = revisionOf(file)
    const refused = expect.objectContaining({ code: -32_602 })
    await expect(type(ada, file, [4, 'x'], base)).rejects.toEqual(refused)
    await expect(type(ada, file, [5, 'x'], base + 1)).rejects.toEqual(refused)
    await expect(type(ada, file, [5, 'x'], -1)).rejects.toEqual(refused)
    await expect(type(ada, file, [0, ''], base)).rejects.toEqual(refused)
    await expect(type(ada, file, [5, 'x'.repeat(5_000_000)], base)).rejects.toEqual(refused)
    await expect(type(bob, file, [5, 'x'], base)).rejects.toMatchObject({ code: 100 })
    expect((await open(ada)).content).toBe('hello')
  })

  it('FILE5: saving writes in place, keeps the mode and tells everybody, the saver too', async () => {
    const file = await open(ada)
    await open(bob)
    await type(ada, file, [5, ' world'], revisionOf(file))
    const before = await stat(at('a.txt'))
    expect(await ada.call('file/save', { id: file.id })).toBeNull()
    const told = { id: file.id, isBinary: false, content: 'hello world', savedHash: savedHash('hello world') }
    expect(await ada.next('file/save')).toEqual(told)
    expect(await bob.next('file/save')).toEqual(told)
    const after = await stat(at('a.txt'))
    expect(await readFile(at('a.txt'), 'utf8')).toBe('hello world')
    expect([after.ino, after.mode & 0o777]).toEqual([before.ino, 0o640])
  })

  it('FILE6: a change on disk becomes a small operation for everybody', async () => {
    const file = await open(ada)
    await open(bob)
    await writeFile(at('a.txt'), 'hello disk')
    for (const client of [ada, bob]) {
      expect(await client.next('file/documentOperation')).toMatchObject({ operation: [5, ' disk'], reason: 1 })
      expect(await client.next('file/save')).toMatchObject({ savedHash: savedHash('hello disk') })
    }
    await ada.call('fs/writeFile', {
      path: 'a.txt',
      content: new Uint8Array(Buffer.from('hello raw')),
      overwrite: true,
    })
    expect(await ada.next('file/documentOperation')).toMatchObject({ operation: [6, 'raw', -4], reason: 1 })
    expect(file.isBinary).toBe(false)
  })

  it('FILE7: a change on disk never takes away unsaved edits, and saving keeps both', async () => {
    const file = await open(ada)
    await type(ada, file, ['unsaved ', 5], revisionOf(file))
    await writeFile(at('a.txt'), 'hello from git')
    const { operation } = await ada.next('file/documentOperation')
    expect(apply('unsaved hello', operation)).toBe('unsaved hello from git')
    expect(await ada.next('file/save')).toMatchObject({ savedHash: savedHash('hello from git') })
    await ada.call('file/save', { id: file.id })
    expect(await readFile(at('a.txt'), 'utf8')).toBe('unsaved hello from git')
  })

  it('FILE8: a file that holds an earlier state of the text is not merged into it again', async () => {
    const file = await open(ada)
    const base = revisionOf(file)
    await type(ada, file, [5, ' one'], base)
    await type(ada, file, [9, ' two'], base + 1)
    await writeFile(at('a.txt'), 'hello one')
    expect(await ada.next('file/save')).toMatchObject({ savedHash: savedHash('hello one') })
    expect((await open(ada)).content).toBe('hello one two')
  })

  it('FILE9: unsaved text, revisions and own operations survive a restart', async () => {
    const file = await open(ada)
    await open(bob)
    const base = revisionOf(file)
    await type(ada, file, [5, ' a'], base)
    await type(bob, file, [7, ' b'], base + 1)
    await server.stop()
    server = await start()
    ada = await join_('ada', 'write', `&reconnectToken=${ada.joined.reconnectToken}`)
    const after = await ada.call('file/open', { id: file.id, isResync: true, sinceRevision: base })
    expect(after).toMatchObject({ content: 'hello a b', savedHash: savedHash('hello') })
    expect(after.document).toMatchObject({
      revision: base + 2,
      replay: [
        { operation: [5, ' a'], revision: base + 1, own: true },
        { operation: [7, ' b'], revision: base + 2, own: false },
      ],
    })
    expect(await readFile(at('a.txt'), 'utf8')).toBe('hello')
  })

  it('FILE10: a document that starts anew after a restart never repeats revisions', async () => {
    const before = await open(ada)
    await server.stop()
    await writeFile(at('a.txt'), 'other')
    server = await start()
    ada = await join_('ada')
    const after = await ada.call('file/open', { id: before.id, sinceRevision: revisionOf(before) })
    expect(revisionOf(after)).toBeGreaterThan(revisionOf(before))
    expect(after.document?.replay).toBeUndefined()
  })

  it('FILE11: a copy of a box counts revisions anew and keeps unsaved text', async () => {
    const file = await open(ada)
    await type(ada, file, [5, ' a'], revisionOf(file))
    await server.stop()
    server = await startDevServer(
      { ...box.configuration, boot: 'FORK' },
      createLog(() => undefined),
    )
    ada = await join_('ada')
    const after = await ada.call('file/open', { id: file.id, sinceRevision: revisionOf(file) })
    expect(after.content).toBe('hello a')
    expect(after.document?.replay).toBeUndefined()
    expect(revisionOf(after)).toBeGreaterThan(revisionOf(file) + 1)
  })

  it('FILE22: unsaved text survives the compaction of the journal, also during a start', async () => {
    const names = ['one.txt', 'two.txt', 'three.txt']
    for (const name of names) {
      await writeFile(at(name), 'x'.repeat(3_500_000))
      const file = await ada.call('file/openByPath', { path: name })
      await type(ada, file, ['unsaved', 3_500_000], revisionOf(file))
    }
    const journal = join(box.configuration.state, 'journal')
    // As long as it is open no other file takes its number.
    const before = await openFile(journal)
    await server.stop()
    // The start has to take in what the file holds now, and by that it compacts a journal it has just read.
    await appendFile(at('one.txt'), 'y')
    for (let restart = 0; restart < 2; restart += 1) {
      server = await start()
      ada = await join_('ada')
      for (const name of names) {
        const { content } = await ada.call('file/openByPath', { path: name })
        expect([name, String(content).length]).toEqual([name, name === 'one.txt' ? 3_500_008 : 3_500_007])
      }
      if (restart === 0) await server.stop()
    }
    expect((await stat(journal)).ino).not.toBe((await before.stat()).ino)
    await before.close()
  })

  it('FILE23: a journal that can not be understood is set aside and the box starts', async () => {
    const file = await open(ada)
    await type(ada, file, [5, '!'], revisionOf(file))
    await server.stop()
    const journal = join(box.configuration.state, 'journal')
    await writeFile(journal, frameRecord(encode({ kind: 'of a later version' })))
    server = await start()
    ada = await join_('ada')
    expect((await open(ada)).content).toBe('hello')
    const names = await readdir(box.configuration.state)
    expect(names.filter((name) => name.startsWith('journal.unreadable-'))).toHaveLength(1)
  })

  it('FILE12: a binary file has no document; a text that is not UTF-8 counts as binary', async () => {
    await writeFile(at('image.png'), Buffer.from([1, 2, 3]))
    await writeFile(at('latin.txt'), Buffer.from([0x68, 0xe9]))
    await writeFile(at('odd'), Buffer.from([0x68, 0x00]))
    await writeFile(at('plain'), 'text')
    for (const [name, isBinary] of [
      ['image.png', true],
      ['latin.txt', true],
      ['odd', true],
      ['plain', false],
    ] as const) {
      const file = await ada.call('file/openByPath', { path: name })
      expect([name, file.isBinary, file.document === null]).toEqual([name, isBinary, isBinary])
    }
  })

  it('FILE13: opens files outside of the tree by path', async () => {
    await mkdir(at('node_modules/x'), { recursive: true })
    await writeFile(at('node_modules/x/i.js'), '1')
    const file = await ada.call('file/openByPath', { path: at('node_modules/x/i.js') })
    await type(ada, file, [1, '2'], revisionOf(file))
    await ada.call('file/save', { id: file.id })
    expect(await readFile(at('node_modules/x/i.js'), 'utf8')).toBe('12')
    await expect(ada.call('file/openByPath', { path: 'nothing' })).rejects.toMatchObject({ code: 102 })
  })

  it('FILE760: a text that was written a moment ago is opened as the file that the tree will show', async () => {
    for (let number = 0; number < 20; number += 1) {
      await writeFile(at(`${number}.txt`), 'new')
      const file = await ada.call('file/openByPath', { path: `${number}.txt` })
      expect(file.id).toBe(await idOf(`${number}.txt`))
    }
  })

  it('FILE761: who opened a text by its path hears of it when others open it by its id', async () => {
    const byPath = await ada.call('file/open', { id: `path:${at('a.txt')}` })
    const byId = await open(bob)
    await type(bob, byId, [5, '!'], revisionOf(byId))
    expect(await ada.next('file/documentOperation')).toMatchObject({ id: byPath.id, operation: [5, '!'] })
    await type(ada, byPath, [6, '?'], revisionOf(byPath) + 1)
    expect(await bob.next('file/documentOperation')).toMatchObject({ id: byId.id, operation: [6, '?'] })
  })

  it('FILE14: a text is refused above 5,000,000 units', async () => {
    await writeFile(at('big.txt'), 'x'.repeat(5_000_001))
    await expect(ada.call('file/openByPath', { path: 'big.txt' })).rejects.toMatchObject({
      code: 102,
      data: { errno: 27 },
      message: 'File is too large to display (5000001 characters), limit is 5000000 characters',
    })
  })

  it('FILE15: saving brings back a deleted file under the id of its document', async () => {
    const file = await open(ada)
    await type(ada, file, [5, '!'], revisionOf(file))
    await rm(at('a.txt'))
    await ada.next('fs/operations', ({ operations }) => operations[0]?.operation.type === 'delete')
    await ada.call('file/save', { id: file.id })
    expect(await readFile(at('a.txt'), 'utf8')).toBe('hello!')
    expect(await idOf('a.txt')).toBe(file.id)
  })

  it('FILE16: a document follows its file when that moves', async () => {
    const file = await open(ada)
    await type(ada, file, [5, '!'], revisionOf(file))
    await ada.call('fs/rename', { from: 'a.txt', to: 'b.txt' })
    await ada.call('file/save', { id: file.id })
    expect(await readFile(at('b.txt'), 'utf8')).toBe('hello!')
    await expect(stat(at('a.txt'))).rejects.toThrow('ENOENT')
  })

  it('FILE17: selections reach the others, move with the text and end with their client', async () => {
    const file = await open(ada)
    await open(bob)
    await bob.call('file/documentSelection', { id: file.id, selection: [{ anchor: 5, head: 5 }], reason: 1 })
    expect(await ada.next('file/documentSelection')).toEqual({
      id: file.id,
      selections: { [bob.clientId]: [{ anchor: 5, head: 5 }] },
      reason: 1,
    })
    await type(ada, file, ['oh ', 5], revisionOf(file))
    expect((await open(ada)).document?.clients[bob.clientId]).toEqual([{ anchor: 8, head: 8 }])
    await bob.close()
    expect(await ada.next('file/documentSelection')).toEqual({
      id: file.id,
      selections: { [bob.clientId]: null },
      reason: 2,
    })
  })

  it('FILE18: a reader follows but does not change', async () => {
    const eve = await join_('eve', 'read')
    const file = await open(eve)
    await open(ada)
    await expect(type(eve, file, [5, '!'], revisionOf(file))).rejects.toMatchObject({ code: 2 })
    await expect(eve.call('file/save', { id: file.id })).rejects.toMatchObject({ code: 2 })
    await type(ada, file, [5, '!'], revisionOf(file))
    expect(await eve.next('file/documentOperation')).toMatchObject({ operation: [5, '!'] })
    expect(await eve.call('file/documentAck', { id: file.id, revision: revisionOf(file) + 1 })).toEqual({
      revision: revisionOf(file) + 1,
    })
  })
})

/** The revisions a client went through, in the order of arrival, from answers and notifications. */
function revisions(client: TestClient): number[] {
  return client.frames.flatMap((frame) => {
    if (frame === 'text' || frame.message.message.method !== 'file/documentOperation') return []
    const { message } = frame.message
    const carried = ('result' in message ? message.result : 'params' in message ? message.params : {}) as {
      revision?: number
    }
    return carried.revision === undefined ? [] : [carried.revision]
  })
}

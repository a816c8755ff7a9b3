import type { DevServerClient } from '@boxyard/dev-server-client'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Room } from './room.ts'
import { MemoryRoom } from '../testing/memoryRoom.ts'
import { MemoryStorage, MemoryTexts } from '../testing/memoryStorage.ts'
import { startSandbox } from '../testing/startSandbox.ts'
import { StorageError } from './restStorage.ts'

const clients: DevServerClient[] = []
afterEach(() => {
  for (const client of clients.splice(0)) client.dispose()
})
const once = { create: true, overwrite: false }
const again = { create: false, overwrite: true }
const [first, second] = [Uint8Array.of(0x89, 0x50, 0, 255), Uint8Array.of(0x89, 0x50, 1)]

async function start(options: Parameters<typeof startSandbox>[0] = {}) {
  const page = await startSandbox({ storage: new MemoryStorage({ 'a.ts': '' }), ...options })
  const client = await page.connect()
  clients.push(client)
  const codeOf = (name: string) => page.storage.codeOf(name)
  const moduleOf = (name: string) => [...page.storage.modules.values()].find(({ title }) => title === name)
  return { ...page, client, codeOf, moduleOf }
}

describe('files that are no text', () => {
  it('BB1034: are uploaded, and the file has their address: made, read, written, renamed, copied and removed', async () => {
    const { client, storage, shown, codeOf, moduleOf } = await start()
    const { fs } = client
    await fs.writeFile('/nodebox/a.png', first, once)
    const address = codeOf('a.png')!
    expect([address, moduleOf('a.png')!.isBinary]).toEqual([
      expect.stringMatching(/^\/api\/v1\/uploads\/.*a\.png$/),
      true,
    ])
    expect(storage.uploads.get(address)).toEqual(first)
    expect(await fs.readFile('/nodebox/a.png')).toEqual(first)
    expect((await fs.stat('/nodebox/a.png')).size).toBe(first.length)
    await vi.waitUntil(() => shown.get('/a.png') instanceof Uint8Array)

    await fs.writeFile('/nodebox/a.png', second, again)
    expect(codeOf('a.png')).not.toBe(address)
    expect(await fs.readFile('/nodebox/a.png')).toEqual(second)
    expect((await fs.stat('/nodebox/a.png')).size).toBe(second.length)
    await fs.rename('/nodebox/a.png', '/nodebox/b.png')
    await fs.copy('/nodebox/b.png', '/nodebox/c.png', {})
    expect([codeOf('a.png'), codeOf('c.png')]).toEqual([undefined, codeOf('b.png')])
    await fs.remove('/nodebox/b.png')
    expect(await fs.readFile('/nodebox/c.png')).toEqual(second)
    await expect(fs.readFile('/nodebox/b.png')).rejects.toThrow('File not found')
  })

  it('BB1034: come as uploads of the explorer too; an empty one has nothing to upload', async () => {
    const { client, storage, moduleOf } = await start()
    await client.fs.upload('0', 'up.png', first)
    await client.fs.upload('0', 'empty.png', new Uint8Array())
    expect(await client.fs.readFile('/nodebox/up.png')).toEqual(first)
    expect(await client.fs.readFile('/nodebox/empty.png')).toEqual(new Uint8Array())
    expect([storage.uploads.size, moduleOf('empty.png')!.isBinary]).toEqual([1, true])
  })

  it('BB1034: one that cannot be uploaded is not made, in the words of the platform; a taken name uploads nothing', async () => {
    const { client, storage, codeOf } = await start()
    await client.fs.writeFile('/nodebox/a.png', first, once)
    await expect(client.fs.writeFile('/nodebox/a.png', second, once)).rejects.toThrow('File already exists')
    expect(storage.uploads.size).toBe(1)
    storage.upload = async () => {
      throw new StorageError(413, 'A file may have at most 5 MB')
    }
    await expect(client.fs.writeFile('/nodebox/b.png', first, once)).rejects.toThrow('A file may have at most 5 MB')
    expect([codeOf('b.png'), client.fs.tree.idOf('b.png')]).toEqual([undefined, undefined])
  })

  it('BB1034: one that is open is shown as it was written last', async () => {
    const { client, connect } = await start()
    await client.fs.writeFile('/nodebox/a.png', first, once)
    const other = await connect()
    clients.push(other)
    const id = client.fs.tree.idOf('a.png')!
    expect((await client.connection.request('file/open', { id })).content).toEqual(first)
    await client.fs.writeFile('/nodebox/a.png', second, again)
    expect((await other.connection.request('file/open', { id })).content).toEqual(second)
  })

  it('BB1035: the archive of everything is at the export of the sandbox, or of the copy that it became', async () => {
    const storage = new MemoryStorage({ 'a.ts': '' })
    const place = {
      storage,
      unsent: new MemoryTexts(),
      room: new Room(new MemoryRoom(storage).link()),
      previewHost: 'def-8080.preview.test',
      api: 'http://app.test/api/v1/sandboxes/def',
    }
    const { client } = await start({ storage, access: 'read', fork: async () => place })
    const address = async (params: { path?: string } = {}) =>
      (await client.connection.request('fs/download', params)).downloadUrl
    const exported = 'http://app.test/api/v1/sandboxes/abc/export'
    expect([await address(), await address({ path: '/nodebox' })]).toEqual([exported, exported])
    await client.fs.mkdir('/nodebox/made')
    await expect(address({ path: 'made' })).rejects.toThrow('Not implemented')
    await expect(address({ path: 'none' })).rejects.toThrow('Directory not found')
    expect(await address()).toBe('http://app.test/api/v1/sandboxes/def/export')
  })
})

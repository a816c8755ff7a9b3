import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DevServerSocket } from './devServerSocket.ts'
import { removeTree } from './testing/removeTree.ts'

let folder: string
let server: net.Server

/** The dev server ends between the moment in which it is reached and the one in which it is asked. */
class ReachedTooLate extends DevServerSocket {
  override async connect(): Promise<net.Socket> {
    const socket = await super.connect()
    if (!socket.closed) await once(socket, 'close')
    return socket
  }
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'boxyard-socket-'))
  server = net.createServer((connection) => connection.destroy()).listen(path.join(folder, 'dev-server.sock'))
  await once(server, 'listening')
})

afterAll(async () => {
  server.close()
  await removeTree(folder)
})

it('BX721: a dev server that ended before it was asked has not answered, and nobody waits for it', async () => {
  const socket = new ReachedTooLate('box', path.join(folder, 'dev-server.sock'))
  expect(await socket.flush(1000)).toBe(false)
  expect(await socket.farewell(1000)).toBe(false)
  expect(await socket.answers()).toBe(false)
  await expect(socket.dial(3000)).rejects.toMatchObject({
    code: expect.stringMatching(/^(PORT_CLOSED|BOX_NOT_RUNNING)$/),
  })
})

it('BX750: a connection that breaks before anybody listens to it harms nobody', async () => {
  const file = path.join(folder, 'other.sock')
  const other = net.createServer().listen(file)
  await once(other, 'listening')
  const socket = await new DevServerSocket('box', file).connect()
  socket.destroy(new Error('the dev server was killed'))
  // Not by once(), which would hear of the error.
  await new Promise<void>((resolve) => socket.on('close', () => resolve()))
  other.close()
})

import { DevServerClient } from '@boxyard/dev-server-client'
import { describeDevServer } from '../../dev-server-client/src/testing/devServerContract.ts'
import { PortSocket, servePort } from './backend/portSocket.ts'
import { Room } from './backend/room.ts'
import { SandboxServer } from './backend/sandboxServer.ts'
import { WORKSPACE } from './backend/tree.ts'
import { MemoryRoom } from './testing/memoryRoom.ts'
import { MemoryStorage, MemoryTexts } from './testing/memoryStorage.ts'

/** One page with several clients. */
describeDevServer('the worker of a page', async () => {
  const storage = new MemoryStorage({ 'a.txt': 'start\n' })
  const link = new MemoryRoom(storage).link()
  const clients: DevServerClient[] = []
  const server = await SandboxServer.open({
    storage,
    unsent: new MemoryTexts(),
    room: new Room(link),
    access: 'write',
    fork: null,
    person: { username: 'ada', name: 'Ada', avatarUrl: null },
    previewHost: 'abc-8080.preview.test',
    api: 'http://app.test/api/v1/sandboxes/abc',
    latestVersion: async () => '1.0.0',
    onFiles: () => undefined,
    onConverted: () => undefined,
    onAway: () => undefined,
  })
  return {
    workspacePath: WORKSPACE,
    async connect() {
      const client = new DevServerClient({
        appId: 'test',
        resolveInstance: async () => ({
          id: 'abc',
          url: 'browser:abc',
          token: '',
          workspacePath: WORKSPACE,
          bootType: 'RUNNING',
        }),
        createSocket: () => {
          const { port1, port2 } = new MessageChannel()
          servePort(server, port1)
          return new PortSocket(port2)
        },
      })
      clients.push(client)
      await client.connect()
      return client
    },
    async stop() {
      for (const client of clients) client.dispose()
      link.close()
    },
  }
})

import { DevServerClient } from '@boxyard/dev-server-client'
import { PortSocket, servePort } from '../backend/portSocket.ts'
import { Room } from '../backend/room.ts'
import type { RoomLink } from '../backend/room.ts'
import { SandboxServer } from '../backend/sandboxServer.ts'
import type { SandboxServerOptions } from '../backend/sandboxServer.ts'
import { MemoryRoom } from './memoryRoom.ts'
import { MemoryStorage, MemoryTexts } from './memoryStorage.ts'

export interface StartedSandbox {
  server: SandboxServer
  storage: MemoryStorage
  meeting: MemoryRoom
  /** The way of this page to the room. */
  link: RoomLink
  unsent: MemoryTexts
  /** What the preview was given last, by path. */
  shown: Map<string, string | Uint8Array | null>
  /** One more client of this page. */
  connect(): Promise<DevServerClient>
}

/** The back end of one page, with everything that is elsewhere in memory. */
export async function startSandbox({
  storage = new MemoryStorage({}),
  meeting = new MemoryRoom(storage),
  username = 'ada',
  unsent = new MemoryTexts(),
  ...given
}: {
  storage?: MemoryStorage
  meeting?: MemoryRoom
  /** Null for a visitor. */
  username?: string | null
  unsent?: MemoryTexts
} & Omit<Partial<SandboxServerOptions>, 'storage' | 'unsent'> = {}): Promise<StartedSandbox> {
  const link = meeting.link(username ?? 'anonymous', given.pageId)
  const shown = new Map<string, string | Uint8Array | null>()
  const server = await SandboxServer.open({
    storage,
    unsent,
    room: new Room(link),
    access: 'write',
    fork: null,
    person: username === null ? null : { username, name: username, avatarUrl: null },
    previewHost: 'abc-8080.preview.test',
    api: 'http://app.test/api/v1/sandboxes/abc',
    latestVersion: async () => '1.0.0',
    onFiles: (changes) => changes.forEach((content, path) => shown.set(path, content)),
    onConverted: () => undefined,
    onAway: () => undefined,
    ...given,
  })
  return {
    server,
    storage,
    meeting,
    link,
    unsent,
    shown,
    async connect() {
      const client = new DevServerClient({
        appId: 'test',
        resolveInstance: async () => ({
          id: 'abc',
          url: 'browser:abc',
          token: '',
          workspacePath: '/nodebox',
          bootType: 'RUNNING',
        }),
        createSocket: () => {
          const { port1, port2 } = new MessageChannel()
          servePort(server, port1)
          return new PortSocket(port2)
        },
      })
      await client.connect()
      await Promise.all([
        client.fs.tree.ready,
        client.tasks.ready,
        client.ports.ready,
        client.setup.ready,
        client.shells.ready,
      ])
      return client
    },
  }
}

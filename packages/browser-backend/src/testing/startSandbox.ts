import { DevServerClient } from '@boxyard/dev-server-client'
import { PortSocket, servePort } from '../backend/portSocket.ts'
import { Room } from '../backend/room.ts'
import { SandboxServer } from '../backend/sandboxServer.ts'
import type { SandboxServerOptions } from '../backend/sandboxServer.ts'
import { MemoryRoom } from './memoryRoom.ts'
import { MemoryStorage, MemoryTexts } from './memoryStorage.ts'

export interface StartedSandbox {
  storage: MemoryStorage
  meeting: MemoryRoom
  unsent: MemoryTexts
  /** What the preview was given last, by path. */
  shown: Map<string, string | Uint8Array | null>
  connect(): Promise<DevServerClient>
}

/** The back end of one page, with everything that is elsewhere in memory. */
export async function startSandbox({
  storage = new MemoryStorage({}),
  meeting = new MemoryRoom(storage),
  username = 'ada',
  ...given
}: {
  storage?: MemoryStorage
  meeting?: MemoryRoom
  /** Null for a visitor. */
  username?: string | null
} & Partial<SandboxServerOptions> = {}): Promise<StartedSandbox> {
  const unsent = new MemoryTexts()
  const shown = new Map<string, string | Uint8Array | null>()
  const server = await SandboxServer.open({
    storage,
    unsent,
    room: new Room(meeting.link(username ?? 'anonymous', given.pageId)),
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
    storage,
    meeting,
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
      await client.fs.tree.ready
      return client
    },
  }
}

import type { AccessLevel } from '@boxyard/protocol'
import { indexedTexts } from './backend/indexedTexts.ts'
import { servePort } from './backend/portSocket.ts'
import { restStorage } from './backend/restStorage.ts'
import { Room } from './backend/room.ts'
import { SandboxServer } from './backend/sandboxServer.ts'
import type { Person } from './backend/sandboxServer.ts'
import { WebSocketRoom } from './backend/webSocketRoom.ts'
import { packRequester } from './compile/packRequester.ts'
import type { EngineStatus } from './compile/engine.ts'
import type { ToEngine } from './engineWorker.ts'

/** To the worker that holds the files. */
export type ToBackend =
  | {
      type: 'begin'
      sandboxId: string
      /** Address of the sandbox at the API. */
      api: string
      access: AccessLevel
      person: Person | null
      previewHost: string
      engine: MessagePort
    }
  | { type: 'connect'; port: MessagePort }
  | { type: 'status'; status: EngineStatus }
  | { type: 'console'; level: string; text: string }

/** From the worker that holds the files. */
export type FromBackend = { type: 'ready' } | { type: 'failed'; message: string; status: number }

let server: SandboxServer | undefined

self.onmessage = ({ data }: MessageEvent<ToBackend>) => {
  switch (data.type) {
    case 'begin':
      begin(data).then(
        () => self.postMessage({ type: 'ready' } satisfies FromBackend),
        (error: unknown) => {
          const { message, status = 0 } = error as { message: string; status?: number }
          self.postMessage({ type: 'failed', message, status } satisfies FromBackend)
        },
      )
      return
    case 'connect':
      if (server) servePort(server, data.port)
      return
    case 'status':
      server?.tell(data.status)
      return
    case 'console':
      server?.log(data.level, data.text)
  }
}

async function begin(given: Extract<ToBackend, { type: 'begin' }>): Promise<void> {
  const { sandboxId, api, access, person, previewHost, engine } = given
  const pack = packRequester(`${api}/packs`)
  const room = new Room(new WebSocketRoom(`${api.replace(/^http/, 'ws')}/room`))
  server = await SandboxServer.open({
    storage: restStorage(api, undefined, () => room.self?.id ?? null),
    unsent: await indexedTexts(sandboxId),
    room,
    access,
    latestVersion: async (name) => {
      const { versions } = await pack({ dependencies: { [name]: 'latest' }, specifiers: [name] })
      const version = versions[name]
      if (version === undefined) throw new Error(`There is no version of ${name}`)
      return version
    },
    person,
    previewHost,
    onFiles: (changes) => engine.postMessage({ type: 'files', changes } satisfies ToEngine),
  })
}

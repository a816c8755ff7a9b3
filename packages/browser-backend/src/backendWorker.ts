import { roomPersonId } from '@boxyard/api'
import type { AccessLevel } from '@boxyard/protocol'
import { indexedTexts } from './backend/indexedTexts.ts'
import { languagePort } from './backend/languagePort.ts'
import { servePort } from './backend/portSocket.ts'
import { restStorage } from './backend/restStorage.ts'
import { Room } from './backend/room.ts'
import { SandboxServer } from './backend/sandboxServer.ts'
import type { Person, SandboxPlace } from './backend/sandboxServer.ts'
import type { PreviewRun } from './backend/textsToShow.ts'
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
      /** Whether this page makes a copy for the person when they change what they may not change. */
      mayFork: boolean
      previewHost: string
      engine: MessagePort
    }
  /** The copy that was asked for, or why there is none. */
  | { type: 'forked'; sandboxId: string; api: string; previewHost: string }
  | { type: 'not-forked'; message: string }
  | { type: 'connect'; port: MessagePort }
  /** A frame that was asked for, or why there is none. */
  | { type: 'frame'; id: number; port: MessagePort }
  | { type: 'no-frame'; id: number; message: string }
  | { type: 'status'; status: EngineStatus }
  | { type: 'console'; level: string; text: string }
  | { type: 'run-preview'; run: PreviewRun }

/** From the worker that holds the files. */
export type FromBackend =
  | { type: 'ready' }
  | { type: 'failed'; message: string; status: number }
  /** A copy is needed. */
  | { type: 'fork' }
  /** A frame on a host of the preview is needed. */
  | { type: 'open-frame'; id: number; place: { kind: 'processes' } | { kind: 'gate'; port: number } }
  | { type: 'leave-frames' }
  /** The sandbox has a machine now. */
  | { type: 'converted' }
  /** Whether the server has gone away. */
  | { type: 'away'; isAway: boolean }

let server: SandboxServer | undefined
/** What makes this page the same one when its connection to a room is lost and it comes back. */
const secret = crypto.randomUUID()
const askedFrames = new Map<number, { resolve(port: MessagePort): void; reject(error: Error): void }>()
let lastFrame = 0
let askedFork: { resolve(place: SandboxPlace): void; reject(error: Error): void } | undefined

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
    case 'forked':
      placeOf(data).then(askedFork?.resolve, askedFork?.reject)
      return
    case 'not-forked':
      askedFork?.reject(new Error(data.message))
      return
    case 'frame':
      askedFrames.get(data.id)?.resolve(data.port)
      return void askedFrames.delete(data.id)
    case 'no-frame':
      askedFrames.get(data.id)?.reject(new Error(data.message))
      return void askedFrames.delete(data.id)
    case 'connect':
      if (server) servePort(server, data.port)
      return
    case 'status':
      server?.tell(data.status)
      return
    case 'console':
      server?.log(data.level, data.text)
      return
    case 'run-preview':
      server?.runPreview(data.run)
  }
}

async function begin(given: Extract<ToBackend, { type: 'begin' }>): Promise<void> {
  const { api, access, person, mayFork, engine } = given
  const pack = packRequester(`${api}/packs`)
  const fork = () =>
    new Promise<SandboxPlace>((resolve, reject) => {
      askedFork = { resolve, reject }
      self.postMessage({ type: 'fork' } satisfies FromBackend)
    })
  server = await SandboxServer.open({
    ...(await placeOf(given)),
    pageId: await roomPersonId(secret),
    access,
    fork: mayFork ? fork : null,
    latestVersion: async (name) => {
      const { versions } = await pack({ dependencies: { [name]: 'latest' }, specifiers: [name] })
      const version = versions[name]
      if (version === undefined) throw new Error(`There is no version of ${name}`)
      return version
    },
    person,
    places: {
      openProcesses: () => openFrame({ kind: 'processes' }),
      openGate: (port) => openFrame({ kind: 'gate', port }),
      leave: () => self.postMessage({ type: 'leave-frames' } satisfies FromBackend),
    },
    openLanguage: (options) => {
      const worker = new Worker(new URL('./languageWorker.ts', import.meta.url), { type: 'module', name: 'language' })
      return languagePort(worker, { ...options, api })
    },
    onFiles: (changes) => engine.postMessage({ type: 'files', changes } satisfies ToEngine),
    onConverted: () => self.postMessage({ type: 'converted' } satisfies FromBackend),
    onAway: (isAway) => self.postMessage({ type: 'away', isAway } satisfies FromBackend),
  })
}

function openFrame(place: Extract<FromBackend, { type: 'open-frame' }>['place']): Promise<MessagePort> {
  return new Promise((resolve, reject) => {
    const id = ++lastFrame
    askedFrames.set(id, { resolve, reject })
    self.postMessage({ type: 'open-frame', id, place } satisfies FromBackend)
  })
}

async function placeOf(given: { sandboxId: string; api: string; previewHost: string }): Promise<SandboxPlace> {
  const { sandboxId, api, previewHost } = given
  const room = new Room(new WebSocketRoom(`${api.replace(/^http/, 'ws')}/room?page=${secret}`))
  const storage = restStorage(api, { person: () => room.self?.id ?? null })
  return { storage, unsent: await indexedTexts(sandboxId), room, previewHost, api }
}

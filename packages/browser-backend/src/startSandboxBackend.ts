import type { Instance, WebSocketLike } from '@boxyard/dev-server-client'
import type { AccessLevel } from '@boxyard/protocol'
import { PortSocket } from './backend/portSocket.ts'
import type { Person } from './backend/sandboxServer.ts'
import type { PreviewRun } from './backend/textsToShow.ts'
import { WORKSPACE } from './backend/tree.ts'
import type { FromBackend, ToBackend } from './backendWorker.ts'
import { PREVIEW_PORT } from './common/previewPort.ts'
import type { EarlyEngine } from './earlyEngine.ts'
import type { EngineNews, ToEngine } from './engineWorker.ts'
import { greetPreviews } from './greetPreviews.ts'
import { PreviewFrames } from './previewFrames.ts'

export interface SandboxBackendOptions {
  sandboxId: string
  access: AccessLevel
  /** Null for a visitor. */
  person: Person | null
  /** Origin of the preview of a port of a sandbox. */
  previewOrigin(sandboxId: string, port: number): string
  /**
   * Makes a copy that is the person's own, for the first change by somebody who may not change this one; resolves with its id, and rejects
   * with what is to be told. Null: who may not change it reads.
   */
  fork: (() => Promise<string>) | null
  /** The file that the preview runs in place of its page; null for the page. */
  module: string | null
  /** Compiles it for previews already, and is taken over; null where nothing does. It ends with the back end. */
  early: EarlyEngine | null
  /** Somebody wants to see the place of an error. The path is relative to the workspace. */
  onOpenFile(path: string, line: number, column: number): void
  /** A page of the preview shows what there is, or why there is nothing. */
  onShown(): void
  /** Somebody gave the sandbox a machine: what is changed here from now on is not stored. */
  onConverted(): void
  /** Whether the server has gone away: what is changed is kept in this browser until it is back. */
  onAway(isAway: boolean): void
}

export interface SandboxBackend {
  /** For the options of a dev-server client. */
  resolveInstance(): Promise<Instance>
  createSocket(): WebSocketLike
  /** The preview shows this text from now on. Whoever says so saves it next: then it comes by the usual way too. The path has a slash in front. */
  show(path: string, text: string): void
  /** The preview runs this file in place of its page from now on; null for the page. */
  run(module: string | null): void
  /** When the preview follows what is typed: 500 ms after an edit, as from the beginning, or when it is saved. */
  runPreview(run: PreviewRun): void
  dispose(): void
}

/** The sandbox could not be read. */
export class BackendError extends Error {
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.name = 'BackendError'
    this.status = status
  }
}

/** Starts the back end of a sandbox without a machine: a worker that holds its files, and one that compiles them for previews in this page. */
export function startSandboxBackend(options: SandboxBackendOptions): SandboxBackend {
  const { sandboxId, access, person, early } = options
  let { module } = options
  const apiOf = (id: string) => new URL(`/api/v1/sandboxes/${encodeURIComponent(id)}`, location.href).href
  const backend = new Worker(new URL('./backendWorker.ts', import.meta.url), { type: 'module', name: 'files' })
  const toBackend = (message: ToBackend, transfer: Transferable[] = []) => backend.postMessage(message, transfer)

  const hear = (message: EngineNews) => {
    if (message.type === 'open') options.onOpenFile(message.file.slice(1), message.line, message.column)
    else if (message.type === 'rendered') options.onShown()
    else {
      if (message.type === 'status' && message.status.kind === 'problem') options.onShown()
      toBackend(message)
    }
  }
  const api = apiOf(sandboxId)
  const engine = early ? early.take(hear) : startEngine(api, hear)
  const toEngine = (message: ToEngine, transfer: Transferable[] = []) => engine.postMessage(message, transfer)

  let previewedId = sandboxId
  let previewOrigin = options.previewOrigin(sandboxId, PREVIEW_PORT)
  const fork = async (): Promise<void> => {
    const id = await options.fork!()
    previewedId = id
    previewOrigin = options.previewOrigin(id, PREVIEW_PORT)
    const api = apiOf(id)
    toEngine({ type: 'moved', api })
    toBackend({ type: 'forked', sandboxId: id, api, previewHost: new URL(previewOrigin).host })
  }
  const frames = new PreviewFrames()
  const openFrame = ({ id, place }: Extract<FromBackend, { type: 'open-frame' }>) => {
    const origin = options.previewOrigin(previewedId, place.kind === 'gate' ? place.port : PREVIEW_PORT)
    frames.open(`${origin}/__boxyard/${place.kind}`).then(
      (port) => toBackend({ type: 'frame', id, port }, [port]),
      (error: unknown) => toBackend({ type: 'no-frame', id, message: String(error) }),
    )
  }
  const ready = new Promise<void>((resolve, reject) => {
    backend.onmessage = ({ data }: MessageEvent<FromBackend>) => {
      if (data.type === 'ready') {
        resolve()
        toEngine({ type: 'keep' })
      } else if (data.type === 'failed') reject(new BackendError(data.message, data.status))
      else if (data.type === 'open-frame') openFrame(data)
      else if (data.type === 'leave-frames') frames.closeAll()
      else if (data.type === 'converted') options.onConverted()
      else if (data.type === 'away') options.onAway(data.isAway)
      else
        fork().catch((error: unknown) =>
          toBackend({ type: 'not-forked', message: error instanceof Error ? error.message : String(error) }),
        )
    }
    backend.onerror = ({ message }) => reject(new BackendError(message || 'The back end could not be started', 0))
  })
  // Whoever connects hears it; until then it is not lost.
  ready.catch(() => undefined)

  const { port1, port2 } = new MessageChannel()
  toEngine({ type: 'files-from', port: port1 }, [port1])
  const previewHost = new URL(previewOrigin).host
  const mayFork = options.fork !== null
  toBackend({ type: 'begin', sandboxId, api, access, person, mayFork, previewHost, engine: port2 }, [port2])

  const stopGreeting = greetPreviews({
    origin: () => previewOrigin,
    onPage: (port, address, shownIn) => toEngine({ type: 'page', port, address, module, window: shownIn }, [port]),
  })

  return {
    async resolveInstance() {
      await ready
      return { id: sandboxId, url: `browser:${sandboxId}`, token: '', workspacePath: WORKSPACE, bootType: 'RUNNING' }
    },
    createSocket() {
      const channel = new MessageChannel()
      toBackend({ type: 'connect', port: channel.port1 }, [channel.port1])
      return new PortSocket(channel.port2)
    },
    show(path, text) {
      toEngine({ type: 'files', changes: new Map([[path, text]]) })
    },
    run(wanted) {
      module = wanted
      toEngine({ type: 'module', module })
    },
    runPreview(run) {
      toBackend({ type: 'run-preview', run })
    },
    dispose() {
      stopGreeting()
      frames.closeAll()
      engine.terminate()
      backend.terminate()
    },
  }
}

function startEngine(api: string, hear: (message: EngineNews) => void): Worker {
  const engine = new Worker(new URL('./engineWorker.ts', import.meta.url), { type: 'module', name: 'compile' })
  engine.onmessage = ({ data }: MessageEvent<EngineNews>) => hear(data)
  const wasm = new URL('oxc-transform/transform.wasm32-wasip1.wasm', import.meta.url).href
  engine.postMessage({ type: 'begin', wasm, isHandedOver: false, api, isPrepared: false } satisfies ToEngine)
  return engine
}

import type { FromRunner, RunnerPack, ToRunner } from './common/messages.ts'
import { readSandbox } from './backend/readSandbox.ts'
import { Engine, problemOf } from './compile/engine.ts'
import type { EngineStatus, RunnerPort } from './compile/engine.ts'
import { loadOxc } from './compile/oxc.ts'
import { packRequester } from './compile/packRequester.ts'
import type { RequestPack } from './compile/packRequester.ts'
import { RunnerCompilers } from './compile/runnerCompilers.ts'

/** To the worker that compiles. */
export type ToEngine =
  /** Addresses of the compiler, null when it comes as a module, and of what packs dependencies. */
  | { type: 'begin'; wasm: string | null; packs: string }
  /** The compiler, or its address where it can't be handed over. */
  | { type: 'compiler'; source: WebAssembly.Module | string }
  /** Dependencies are packed at another address from now on. */
  | { type: 'packs'; address: string }
  /** Nobody will send files: read them, as they are saved, from here. */
  | { type: 'read'; address: string }
  | { type: 'files'; changes: ReadonlyMap<string, string | Uint8Array | null> }
  | { type: 'files-from'; port: MessagePort }
  /** Pages of the preview are to open again when no server answers. */
  | { type: 'keep' }
  /** A page of the preview, at the other end of the port. */
  | { type: 'page'; port: MessagePort; address: string; module: string | null }

/** From the worker that compiles. */
export type FromEngine =
  | { type: 'status'; status: EngineStatus }
  | { type: 'console'; level: string; text: string }
  | { type: 'open'; file: string; line: number; column: number }
  /** A page of the preview shows what there is. */
  | { type: 'rendered' }

const post = (message: FromEngine) => self.postMessage(message)
let engine: Engine | undefined
let requestPack: RequestPack
let compilers: RunnerCompilers | undefined
/** Pages and files that come before everything is there. */
const early: ToEngine[] = []

let handOver: (source: WebAssembly.Module | Promise<Response>) => void
const handedOver = new Promise<WebAssembly.Module | Response>((resolve) => (handOver = resolve))

self.onmessage = ({ data }: MessageEvent<ToEngine>) => {
  if (data.type === 'compiler') return handOver(typeof data.source === 'string' ? fetch(data.source) : data.source)
  if (data.type === 'begin') {
    requestPack = packRequester(data.packs)
    const pack: RequestPack = (request) => requestPack(request)
    compilers = new RunnerCompilers(pack)
    const made = new Engine({
      oxc: loadOxc(data.wasm === null ? handedOver : fetch(data.wasm)),
      pack: (request): Promise<RunnerPack> => pack(request),
      foreign: compilers,
      onStatus: (status) => post({ type: 'status', status }),
    })
    engine = made
    for (const message of early.splice(0)) receive(message, made, compilers)
    return
  }
  if (engine && compilers) receive(data, engine, compilers)
  else early.push(data)
}

let hasFiles = false
let isKept = false
/** What shows something. */
const rendered = new Set<RunnerPort['post']>()
const pagesBefore: (() => void)[] = []

function receive(message: ToEngine, to: Engine, with_: RunnerCompilers): void {
  switch (message.type) {
    case 'begin':
    case 'compiler':
      return
    case 'packs':
      requestPack = packRequester(message.address)
      return
    case 'read':
      readSandbox(message.address).then(
        (changes) => {
          // Whoever holds the files may have sent them meanwhile, and knows of later ones.
          if (!hasFiles) receive({ type: 'files', changes }, to, with_)
        },
        (error: unknown) => post({ type: 'status', status: { kind: 'problem', problem: problemOf(error) } }),
      )
      return
    case 'files-from':
      message.port.onmessage = ({ data }: MessageEvent<Extract<ToEngine, { type: 'files' }>>) => {
        message.port.onmessage = ({ data: next }: MessageEvent<ToEngine>) => receive(next, to, with_)
        // The first are all that there are.
        if (hasFiles) void to.replace(data.changes)
        else receive(data, to, with_)
      }
      return
    case 'keep':
      isKept = true
      for (const tell of rendered) tell({ type: 'keep' })
      return
    case 'files':
      if (hasFiles) return void to.change(message.changes)
      hasFiles = true
      to.fill([...message.changes].filter((entry): entry is [string, string | Uint8Array] => entry[1] !== null))
      for (const start of pagesBefore.splice(0)) start()
      return
    case 'page': {
      const start = () => startPage(message, to, with_)
      if (hasFiles) start()
      else pagesBefore.push(start)
    }
  }
}

function startPage(
  { port, address, module }: Extract<ToEngine, { type: 'page' }>,
  to: Engine,
  with_: RunnerCompilers,
): void {
  const runner: RunnerPort = { post: (message: ToRunner) => port.postMessage(message) }
  port.onmessage = ({ data }: MessageEvent<FromRunner>) => {
    switch (data.type) {
      case 'start':
        with_.use(port)
        void to.start(runner, address, module)
        return
      case 'compiled':
        with_.receive(data)
        return
      case 'console':
        post({ type: 'console', level: data.level, text: data.text })
        return
      case 'problem':
        post({ type: 'status', status: { kind: 'problem', problem: data.problem } })
        return
      case 'open':
        post({ type: 'open', file: data.file, line: data.line, column: data.column })
        return
      case 'rendered':
        post({ type: 'rendered' })
        if (isKept && !rendered.has(runner.post)) runner.post({ type: 'keep' })
        rendered.add(runner.post)
        return
      default:
        to.receive(runner, data)
    }
  }
}

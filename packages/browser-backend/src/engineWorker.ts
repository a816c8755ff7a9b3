import type { RunnerPack } from './common/messages.ts'
import { readSandbox } from './backend/readSandbox.ts'
import type { CompilationStore } from './compile/compilation.ts'
import { Engine, problemOf } from './compile/engine.ts'
import type { EngineStatus } from './compile/engine.ts'
import type { Oxc } from './compile/oxc.ts'
import { packRequester } from './compile/packRequester.ts'
import type { RequestPack } from './compile/packRequester.ts'
import { rehearse } from './compile/rehearse.ts'
import { PreviewPages } from './compile/previewPages.ts'
import type { PreviewPage } from './compile/previewPages.ts'
import { RunnerCompilers } from './compile/runnerCompilers.ts'
import { keptCompilation } from './offline/keptCompilation.ts'

/** To the worker that compiles. */
export type ToEngine =
  /** Addresses of the compiler, which may be handed over instead of fetched, and of the sandbox at the API, or what is like it. */
  | {
      type: 'begin'
      wasm: string
      isHandedOver: boolean
      api: string
      /** The server has compiled it, as it is saved. */
      isPrepared: boolean
    }
  /** The compiler, or its address where it can't be handed over. */
  | { type: 'compiler'; source: WebAssembly.Module | string }
  /** The sandbox is another one from now on. */
  | { type: 'moved'; api: string }
  /** Nobody will send files: read them, as they are saved, from here; what the server has answered already is not asked again. */
  | { type: 'read'; address: string; answer?: { status: number; body: string } }
  | { type: 'files'; changes: ReadonlyMap<string, string | Uint8Array | null> }
  | { type: 'files-from'; port: MessagePort }
  /** Pages of the preview are to open again when no server answers. */
  | { type: 'keep' }
  /** Pages run this file in place of their own scripts from now on; null for those again. */
  | { type: 'module'; module: string | null }
  | ({ type: 'page' } & PreviewPage)

/** From the worker that compiles. */
export type FromEngine =
  | { type: 'status'; status: EngineStatus }
  | { type: 'console'; level: string; text: string }
  | { type: 'open'; file: string; line: number; column: number }
  /** A page of the preview shows what there is. */
  | { type: 'rendered' }
  /** The compiler that is to be handed over is needed. */
  | { type: 'compiler-wanted' }

/** What concerns others than whoever hands over the compiler. */
export type EngineNews = Exclude<FromEngine, { type: 'compiler-wanted' }>

/** What is compiled is kept for the next visit when nothing was compiled for this long. */
const KEEP_MS = 10_000

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))
const post = (message: FromEngine) => self.postMessage(message)
let engine: Engine | undefined
let requestPack: RequestPack
let pages: PreviewPages | undefined
let store: CompilationStore | null
let move: (api: string) => void
/** Pages and files that come before everything is there. */
const early: ToEngine[] = []

let handOver: (source: WebAssembly.Module | Promise<Response>) => void
const handedOver = new Promise<WebAssembly.Module | Response>((resolve) => (handOver = resolve))
let oxc: Promise<Oxc> | undefined
/** Brings the compiler. */
let bringOxc: () => Promise<Oxc>

/** What stands around the compiler is a third of everything here: it comes while files are read, and on a later visit behind the preview. */
async function makeOxc(source: Promise<WebAssembly.Module | Response>): Promise<Oxc> {
  const { loadOxc } = await import('./compile/oxc.ts')
  return loadOxc(source)
}

self.onmessage = ({ data }: MessageEvent<ToEngine>) => {
  if (data.type === 'compiler') {
    handOver(typeof data.source === 'string' ? fetch(data.source) : data.source)
    oxc ??= makeOxc(handedOver)
    return
  }
  if (data.type === 'begin') {
    begin(data)
    return
  }
  if (engine && pages) receive(data, engine, pages)
  else early.push(data)
}

function begin({ wasm, isHandedOver, api, isPrepared }: Extract<ToEngine, { type: 'begin' }>): void {
  bringOxc = () => {
    if (!oxc && isHandedOver) post({ type: 'compiler-wanted' })
    return (oxc ??= makeOxc(isHandedOver ? handedOver : fetch(wasm)))
  }
  const moveTo = (address: string): void => {
    requestPack = packRequester(`${address}/packs`)
    store = keptCompilation(address, `${self.location.href} ${wasm}`)
  }
  moveTo(api)
  move = moveTo
  const kept = store?.read()
  const compiledBefore = isPrepared ? compiledAhead(api, kept) : kept
  // Where nothing was kept all of it will be compiled. What is wrong with the compiler is told when it is needed.
  Promise.resolve(compiledBefore)
    .then((kept) => kept ?? bringOxc())
    .catch(() => undefined)
  const pack: RequestPack = (request) => requestPack(request)
  const foreign = new RunnerCompilers(pack)
  const made = new Engine({
    oxc: () => bringOxc(),
    pack: (request): Promise<RunnerPack> => pack(request),
    foreign,
    store: compiledBefore
      ? { read: async () => compiledBefore, write: async (compilation) => store?.write(compilation) }
      : null,
    onStatus: (status) => {
      post({ type: 'status', status })
      if (status.kind === 'updated') keepLater(made)
    },
  })
  let hasRendered = false
  const shown = new PreviewPages({
    engine: made,
    compilers: foreign,
    onConsole: (level, text) => post({ type: 'console', level, text }),
    onProblem: (problem) => post({ type: 'status', status: { kind: 'problem', problem } }),
    onNotice: (text) => post({ type: 'status', status: { kind: 'notice', text } }),
    onOpen: (file, line, column) => post({ type: 'open', file, line, column }),
    onRendered() {
      post({ type: 'rendered' })
      // Writing all of it takes longer than compiling one file: not between two edits.
      if (hasRendered) return keepLater(made)
      hasRendered = true
      keep(made)
      // The first edit does not wait for it. What is wrong with it is told when it is needed.
      bringOxc()
        .then(() => rehearse({ once: () => made.rehearse(), pause }))
        .catch(() => undefined)
    },
  })
  engine = made
  pages = shown
  for (const message of early.splice(0)) receive(message, made, shown)
}

/** What the server has compiled; what an earlier visit has where it does not answer. */
async function compiledAhead(api: string, kept: Promise<unknown> | undefined): Promise<unknown> {
  try {
    const answer = await fetch(`${api}/compilation`)
    if (answer.ok) return ((await answer.json()) as { data: unknown }).data
  } catch (error) {
    console.warn('What was compiled ahead could not be fetched', error)
  }
  return kept
}

let keeping: ReturnType<typeof setTimeout> | undefined
function keepLater(from: Engine): void {
  clearTimeout(keeping)
  keeping = setTimeout(() => keep(from), KEEP_MS)
}
function keep(from: Engine): void {
  from.keep().catch((error: unknown) => console.warn('What was compiled is not kept for the next visit', error))
}

let hasFiles = false

function receive(message: ToEngine, to: Engine, pages: PreviewPages): void {
  switch (message.type) {
    case 'begin':
    case 'compiler':
      return
    case 'moved':
      move(message.api)
      return
    case 'read':
      readSandbox(message).then(
        (changes) => {
          // Whoever holds the files may have sent them meanwhile, and knows of later ones.
          if (!hasFiles) receive({ type: 'files', changes }, to, pages)
        },
        (error: unknown) => post({ type: 'status', status: { kind: 'problem', problem: problemOf(error) } }),
      )
      return
    case 'files-from':
      message.port.onmessage = ({ data }: MessageEvent<Extract<ToEngine, { type: 'files' }>>) => {
        message.port.onmessage = ({ data: next }: MessageEvent<ToEngine>) => receive(next, to, pages)
        // The first are all that there are.
        if (hasFiles) void to.replace(data.changes)
        else receive(data, to, pages)
      }
      return
    case 'keep':
      pages.keep()
      return
    case 'files':
      if (hasFiles) return void to.change(message.changes)
      hasFiles = true
      to.fill([...message.changes].filter((entry): entry is [string, string | Uint8Array] => entry[1] !== null))
      pages.begin()
      return
    case 'module':
      return pages.run(message.module)
    case 'page':
      pages.add(message)
  }
}

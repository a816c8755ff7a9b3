import type { EngineNews, FromEngine, ToEngine } from './engineWorker.ts'
import { greetPreviews } from './greetPreviews.ts'
import { hasKeptCompilation } from './offline/keptCompilation.ts'

export interface EarlyEngineOptions {
  /** Addresses of the script of the worker, and of its compiler. */
  script: string
  wasm: string
  /** Address of the sandbox at the API. */
  api: string
  previewOrigin: string
  /** The page of the preview shows the sandbox by itself: nothing is compiled before it does. */
  isPrepared: boolean
  /** A page of the preview shows what there is, or why there is nothing. */
  onShown(): void
}

/** Compiles a sandbox, as it is saved, for previews in this window before its back end is there, which takes it over. */
export class EarlyEngine {
  /** Resolves when the compiler is there, or will not come this way: the largest of what it fetches; at once where it may not be needed. */
  readonly whenFetched: Promise<void>
  readonly #options: EarlyEngineOptions
  readonly #stopGreeting: () => void
  readonly #said: EngineNews[] = []
  #worker: Worker | undefined
  /** Pages that came before the worker, by their windows: with the next one that of before has gone. */
  readonly #pages = new Map<number, () => void>()
  #wasFetched: () => void = () => undefined
  #hear: (message: EngineNews) => void = (message) => this.#said.push(message)

  constructor(options: EarlyEngineOptions) {
    this.#options = options
    this.whenFetched = new Promise((resolve) => (this.#wasFetched = resolve))
    if (!options.isPrepared) this.start()
    this.#stopGreeting = greetPreviews({
      origin: () => options.previewOrigin,
      onPage: (port, address, shownIn) => {
        const add = () => this.#tell({ type: 'page', port, address, module: null, window: shownIn }, [port])
        if (this.#worker) add()
        else this.#pages.set(shownIn, add)
      },
      onPreparedShown: () => {
        this.start()
        options.onShown()
      },
    })
  }

  /** Begins to compile, unless that has begun. */
  start(): Worker {
    if (this.#worker) return this.#worker
    const { script, wasm, api, isPrepared, onShown } = this.#options
    const worker = new Worker(script, { type: 'module', name: 'compile' })
    this.#worker = worker
    let fetched: Promise<void> | undefined
    const bringCompiler = (): Promise<void> =>
      (fetched ??= WebAssembly.compileStreaming(fetch(wasm)).then(
        (source) => this.#tell({ type: 'compiler', source }),
        // The worker tries itself, and says what is wrong.
        () => this.#tell({ type: 'compiler', source: wasm }),
      ))
    worker.onmessage = ({ data }: MessageEvent<FromEngine>) => {
      if (data.type === 'compiler-wanted') void bringCompiler()
      else this.#hear(data)
      if (data.type === 'rendered' || (data.type === 'status' && data.status.kind === 'problem')) onShown()
    }
    this.#tell({ type: 'begin', wasm, isHandedOver: true, api, isPrepared })
    // Where everything is compiled already, nobody waits for it. Elsewhere it is compiled here while the worker itself is still to come.
    if (isPrepared) this.#wasFetched()
    else
      void hasKeptCompilation(api)
        .then((isKept) => (isKept ? undefined : bringCompiler()))
        .then(this.#wasFetched)
    // Asked here, the files are there before the worker is.
    fetch(api, { headers: { accept: 'application/json' } })
      .then(async (answer) =>
        this.#tell({ type: 'read', address: api, answer: { status: answer.status, body: await answer.text() } }),
      )
      // The worker tries itself: it knows what an earlier visit has kept, and says what is wrong.
      .catch(() => this.#tell({ type: 'read', address: api }))
    for (const add of this.#pages.values()) add()
    this.#pages.clear()
    return worker
  }

  /** Hands the worker over. What it has said meanwhile is told to `hear`, and what it says from now on. */
  take(hear: (message: EngineNews) => void): Worker {
    const worker = this.start()
    this.#stopGreeting()
    this.#hear = hear
    for (const message of this.#said.splice(0)) hear(message)
    return worker
  }

  dispose(): void {
    this.#stopGreeting()
    this.#worker?.terminate()
  }

  #tell(message: ToEngine, transfer: Transferable[] = []): void {
    this.#worker?.postMessage(message, transfer)
  }
}

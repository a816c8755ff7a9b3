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
  /** A page of the preview shows what there is, or why there is nothing. */
  onShown(): void
}

/** Compiles a sandbox, as it is saved, for previews in this window before its back end is there, which takes it over. */
export class EarlyEngine {
  /** Resolves when the compiler is there, or will not come this way: the largest of what it fetches; at once where it may not be needed. */
  readonly whenFetched: Promise<void>
  readonly #worker: Worker
  readonly #stopGreeting: () => void
  readonly #said: EngineNews[] = []
  #hear: (message: EngineNews) => void = (message) => this.#said.push(message)

  constructor({ script, wasm, api, previewOrigin, onShown }: EarlyEngineOptions) {
    this.#worker = new Worker(script, { type: 'module', name: 'compile' })
    const tell = (message: ToEngine, transfer: Transferable[] = []) => this.#worker.postMessage(message, transfer)
    let fetched: Promise<void> | undefined
    const bringCompiler = (): Promise<void> =>
      (fetched ??= WebAssembly.compileStreaming(fetch(wasm)).then(
        (source) => tell({ type: 'compiler', source }),
        // The worker tries itself, and says what is wrong.
        () => tell({ type: 'compiler', source: wasm }),
      ))
    this.#worker.onmessage = ({ data }: MessageEvent<FromEngine>) => {
      if (data.type === 'compiler-wanted') void bringCompiler()
      else this.#hear(data)
      if (data.type === 'rendered' || (data.type === 'status' && data.status.kind === 'problem')) onShown()
    }
    tell({ type: 'begin', wasm, isHandedOver: true, api })
    // Where an earlier visit has compiled everything, nobody waits for it. Elsewhere it is compiled here while the worker itself is still to come.
    this.whenFetched = hasKeptCompilation(api).then((isKept) => (isKept ? undefined : bringCompiler()))
    // Asked here, the files are there before the worker is.
    fetch(api, { headers: { accept: 'application/json' } })
      .then(async (answer) =>
        tell({ type: 'read', address: api, answer: { status: answer.status, body: await answer.text() } }),
      )
      // The worker tries itself: it knows what an earlier visit has kept, and says what is wrong.
      .catch(() => tell({ type: 'read', address: api }))
    this.#stopGreeting = greetPreviews({
      origin: () => previewOrigin,
      onPage: (port, address) => tell({ type: 'page', port, address, module: null }, [port]),
    })
  }

  /** Hands the worker over. What it has said meanwhile is told to `hear`, and what it says from now on. */
  take(hear: (message: EngineNews) => void): Worker {
    this.#stopGreeting()
    this.#hear = hear
    for (const message of this.#said.splice(0)) hear(message)
    return this.#worker
  }

  dispose(): void {
    this.#stopGreeting()
    this.#worker.terminate()
  }
}

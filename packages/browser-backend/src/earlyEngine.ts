import type { FromEngine, ToEngine } from './engineWorker.ts'
import { greetPreviews } from './greetPreviews.ts'

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
  /** Resolves when the compiler is there, or will not come this way: the largest of what it fetches. */
  readonly whenFetched: Promise<void>
  readonly #worker: Worker
  readonly #stopGreeting: () => void
  readonly #said: FromEngine[] = []

  constructor({ script, wasm, api, previewOrigin, onShown }: EarlyEngineOptions) {
    this.#worker = new Worker(script, { type: 'module', name: 'compile' })
    const tell = (message: ToEngine, transfer: Transferable[] = []) => this.#worker.postMessage(message, transfer)
    this.#worker.onmessage = ({ data }: MessageEvent<FromEngine>) => {
      this.#said.push(data)
      if (data.type === 'rendered' || (data.type === 'status' && data.status.kind === 'problem')) onShown()
    }
    tell({ type: 'begin', wasm: null, packs: `${api}/packs` })
    // Here it is compiled while the worker itself is still to come.
    this.whenFetched = WebAssembly.compileStreaming(fetch(wasm)).then(
      (source) => tell({ type: 'compiler', source }),
      // The worker tries itself, and says what is wrong.
      () => tell({ type: 'compiler', source: wasm }),
    )
    tell({ type: 'read', address: api })
    this.#stopGreeting = greetPreviews({
      origin: () => previewOrigin,
      onPage: (port, address) => tell({ type: 'page', port, address, module: null }, [port]),
    })
  }

  /** Hands the worker over. What it has said meanwhile is told to `hear`, and what it says from now on. */
  take(hear: (message: FromEngine) => void): Worker {
    this.#stopGreeting()
    this.#worker.onmessage = ({ data }: MessageEvent<FromEngine>) => hear(data)
    for (const message of this.#said.splice(0)) hear(message)
    return this.#worker
  }

  dispose(): void {
    this.#stopGreeting()
    this.#worker.terminate()
  }
}

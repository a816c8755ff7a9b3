import type { FromEngine, ToEngine } from './engineWorker.ts'
import { greetPreviews } from './greetPreviews.ts'

export interface PreviewEngineOptions {
  /** Address of the sandbox at the API. */
  api: string
  /** The project, by path with a slash in front. */
  files: ReadonlyMap<string, string | Uint8Array>
  previewOrigin: string
  /** The file that the preview runs in place of its page; null for the page. */
  module: string | null
  /** Somebody wants to see the place of an error. The path has a slash in front. */
  onOpenFile(path: string, line: number, column: number): void
}

export interface PreviewEngine {
  change(changes: ReadonlyMap<string, string>): void
  dispose(): void
}

/** Compiles a project for previews in this window, and nothing else: what is changed here stays here. */
export function startPreviewEngine(options: PreviewEngineOptions): PreviewEngine {
  const { api, files, previewOrigin, module } = options
  const engine = new Worker(new URL('./engineWorker.ts', import.meta.url), { type: 'module', name: 'compile' })
  const tell = (message: ToEngine, transfer: Transferable[] = []) => engine.postMessage(message, transfer)
  const wasm = new URL('oxc-transform/transform.wasm32-wasip1.wasm', import.meta.url).href
  tell({ type: 'begin', wasm, isHandedOver: false, api, isPrepared: false })
  tell({ type: 'files', changes: files })
  engine.onmessage = ({ data }: MessageEvent<FromEngine>) => {
    if (data.type === 'open') options.onOpenFile(data.file, data.line, data.column)
  }
  const stop = greetPreviews({
    origin: () => previewOrigin,
    onPage: (port, address, shownIn) => tell({ type: 'page', port, address, module, window: shownIn }, [port]),
  })
  return {
    change: (changes) => tell({ type: 'files', changes }),
    dispose() {
      stop()
      engine.terminate()
    },
  }
}

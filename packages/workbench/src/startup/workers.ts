/** Stands in for the real Worker so that Vite bundles the script and hands over its URL, but nothing starts. */
class WorkerAddress {
  readonly url: string
  readonly options: WorkerOptions | undefined
  constructor(url: URL, options?: WorkerOptions) {
    this.url = url.toString()
    this.options = options
  }
}

function workerAddresses(): Record<string, WorkerAddress> {
  // The local name must be Worker: Vite recognizes only `new Worker(new URL(...))`.
  const Worker = WorkerAddress
  return {
    editorWorkerService: new Worker(new URL('monaco-editor/esm/vs/editor/editor.worker.js', import.meta.url), {
      type: 'module',
    }),
    extensionHostWorkerMain: new Worker(
      new URL('@codingame/monaco-vscode-api/workers/extensionHost.worker', import.meta.url),
      { type: 'module' },
    ),
    TextMateWorker: new Worker(new URL('@codingame/monaco-vscode-textmate-service-override/worker', import.meta.url), {
      type: 'module',
    }),
    OutputLinkDetectionWorker: new Worker(
      new URL('@codingame/monaco-vscode-output-service-override/worker', import.meta.url),
      { type: 'module' },
    ),
    LanguageDetectionWorker: new Worker(
      new URL('@codingame/monaco-vscode-language-detection-worker-service-override/worker', import.meta.url),
      { type: 'module' },
    ),
    LocalFileSearchWorker: new Worker(
      new URL('@codingame/monaco-vscode-search-service-override/worker', import.meta.url),
      { type: 'module' },
    ),
  }
}

declare global {
  interface Window {
    MonacoEnvironment?: {
      getWorkerUrl(moduleId: string, label: string): string | undefined
      getWorkerOptions(moduleId: string, label: string): WorkerOptions | undefined
    }
  }
}

/** Tells the editor where its workers are; call before anything of it starts. */
export function provideWorkers(): void {
  const addresses = workerAddresses()
  window.MonacoEnvironment = {
    getWorkerUrl: (_moduleId, label) => addresses[label]?.url,
    getWorkerOptions: (_moduleId, label) => addresses[label]?.options,
  }
}

/** The service worker that keeps the editor for later visits; see editorCacheWorker.js. */
export const EDITOR_WORKER = '/editor-cache.js'

export type Question =
  | { type: 'INIT'; build: string }
  | { type: 'CLEAR_CACHE' }
  /** About to compile `files` with this engine. */
  | { type: 'COMPILE'; files: string[]; engine: string }
  | { type: 'COMPILED'; files: string[]; engine: string }

/** What it says to INIT and CLEAR_CACHE, and to COMPILE with the files that are to be compiled. */
export type Answer = { build: string } & (
  | {
      type:
        | 'CACHE_CREATED'
        | 'LATEST'
        | 'UPDATED'
        | 'EXPIRED'
        | 'NOT_AVAILABLE'
        | 'UPDATE_FAILED'
        | 'CLEAR_CACHE_SUCCESS'
        | 'CLEAR_CACHE_ERROR'
        | 'COMPILED'
    }
  | { type: 'COMPILE'; files: string[] }
)

export function askWorker(worker: Pick<ServiceWorker, 'postMessage'>, question: Question): Promise<Answer> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
      port1.close()
      resolve(data)
    })
    port1.start()
    worker.postMessage(question, [port2])
  })
}

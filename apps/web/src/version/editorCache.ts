import { askWorker, EDITOR_WORKER } from './editorWorker.ts'
import { newestBuild, pageBuild } from './pageBuild.ts'
import type { VersionPorts, VersionReport } from './editorVersionMachine.ts'

export type WorkerContainer = Pick<ServiceWorkerContainer, 'register' | 'getRegistration' | 'ready'>

export interface EditorCacheOptions {
  /** Null: only safe origins have service workers. */
  workers?: WorkerContainer | null
  /** Of this page. Undefined: nothing is built. */
  build?: string | undefined
  newest?: () => Promise<string | undefined>
  reload?: () => void
}

/** Lets the browser keep the editor for later visits, and finds out whether this page is of the newest version. */
export function editorCache({
  workers = 'serviceWorker' in navigator ? navigator.serviceWorker : null,
  build = pageBuild(),
  newest = newestBuild,
  reload = () => window.location.reload(),
}: EditorCacheOptions = {}): VersionPorts {
  /** What the server says, where no worker can. */
  const compare = async (): Promise<VersionReport> => {
    const found = await newest()
    return { type: found === undefined || found === build ? 'LATEST' : 'UPDATED' }
  }
  /** A page of the newest version has all that it needs, whether or not it is kept. */
  const failed = async (error: unknown): Promise<VersionReport> => {
    console.warn('The editor is not kept for later visits', error)
    if ((await compare()).type === 'LATEST') return { type: 'LATEST' }
    return { type: 'UPDATE_FAILED', reason: error instanceof Error ? error.message : String(error) }
  }
  const look = async (
    container: WorkerContainer,
    build: string,
    report: (step: VersionReport) => void,
  ): Promise<VersionReport> => {
    const before = await container.getRegistration(EDITOR_WORKER)
    if (!before) report({ type: 'INSTALLING' })
    const registration = await container.register(EDITOR_WORKER)
    if (before) await update(registration, report)
    const { active } = await container.ready
    let answer = await askWorker(active!, { type: 'INIT', build })
    if (answer.type === 'EXPIRED') {
      // The server was given a new build a moment ago.
      await update(registration, report)
      answer = await askWorker(registration.active!, { type: 'INIT', build })
    }
    switch (answer.type) {
      case 'UPDATED':
        return { type: 'UPDATED' }
      case 'EXPIRED':
        return failed(new Error('The browser has not fetched it'))
      case 'UPDATE_FAILED':
        return failed(new Error('Its files could not be fetched or kept'))
      // Without an answer of the server nothing is newer.
      default:
        return { type: 'LATEST' }
    }
  }
  return {
    check(send) {
      let isOver = false
      const report = (step: VersionReport) => {
        if (!isOver) send(step)
      }
      if (build === undefined) queueMicrotask(() => report({ type: 'LATEST' }))
      else (workers ? look(workers, build, report).catch(failed) : compare()).then(report, console.warn)
      return () => {
        isOver = true
      }
    },
    async clear() {
      const registration = await workers?.getRegistration(EDITOR_WORKER)
      if (!registration) return
      const worker = registration.active
      if (worker) {
        const { type } = await askWorker(worker, { type: 'CLEAR_CACHE' })
        if (type !== 'CLEAR_CACHE_SUCCESS') throw new Error('The browser did not let go of it')
      }
      await registration.unregister()
    },
    reload,
  }
}

/** Looks for a newer worker, and waits until that has taken over. */
async function update(registration: ServiceWorkerRegistration, report: (step: VersionReport) => void): Promise<void> {
  await registration.update()
  const next = registration.installing ?? registration.waiting
  if (!next) return
  report({ type: 'UPDATING' })
  await new Promise<void>((resolve, reject) => {
    const look = () => {
      if (next.state === 'activated') resolve()
      else if (next.state === 'redundant') reject(new Error('Its files could not be fetched or kept'))
    }
    next.addEventListener('statechange', look)
    look()
  })
}

import type { NotificationParams } from '@boxyard/protocol'

export type InitStatus = NotificationParams<'system/initStatus'>

/** How far the start has come. Joins are answered when it is ready. */
export class Readiness {
  readonly #listeners = new Set<(status: InitStatus) => void>()
  readonly #ready: Promise<void>
  #resolve: () => void = () => undefined
  #reject: (error: Error) => void = () => undefined
  #isReady = false
  status: InitStatus = { message: 'Starting the dev server', progress: 0, nextProgress: 10 }

  constructor() {
    this.#ready = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    // A failed start is reported by whoever awaits it; without a waiting join nobody does.
    this.#ready.catch(() => undefined)
  }

  get isReady(): boolean {
    return this.#isReady
  }

  /** Resolves when ready; rejects when the start failed. */
  get whenReady(): Promise<void> {
    return this.#ready
  }

  report(status: InitStatus): void {
    this.status = status
    for (const listener of this.#listeners) listener(status)
  }

  onStatus(listener: (status: InitStatus) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  ready(): void {
    this.#isReady = true
    this.report({ message: 'Ready', progress: 100, nextProgress: 100 })
    this.#resolve()
  }

  failed(error: Error): void {
    this.report({ ...this.status, message: error.message, isError: true })
    this.#reject(error)
  }
}

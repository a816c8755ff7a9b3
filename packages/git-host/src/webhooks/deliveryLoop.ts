import type { DeliveryRecord } from '../repositories/records.ts'
import type { RepositoryStorage } from '../repositories/repositoryStorage.ts'
import { signPayload } from './signature.ts'

/** Sends one POST and answers with its status. Rejects when nobody answers. */
export type SendWebhook = (url: string, headers: Record<string, string>, body: string) => Promise<number>

export interface DeliveryLoopOptions {
  storage: RepositoryStorage
  send: SendWebhook
  now?: () => Date
  onError: (error: unknown) => void
}

/** Minutes until the next attempt after each that failed; then it is given up. */
const RETRY_MINUTES = [0.1, 0.5, 2, 10, 60, 360]
/** Longer than any delivery takes: when a process dies in the middle of one, another attempt comes after this. */
const TAKEN_MS = 2 * 60_000
const BATCH = 20
const POLL_MS = 5_000

/** Delivers webhooks at least once, each hook's in the order of its events, and tries again what was not accepted. */
export class DeliveryLoop {
  readonly #options: DeliveryLoopOptions
  readonly #now: () => Date
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | null = null
  #again = false
  #stopped = false

  constructor(options: DeliveryLoopOptions) {
    this.#options = options
    this.#now = options.now ?? (() => new Date())
  }

  start(): void {
    this.wake()
  }

  /** Looks for deliveries now. */
  wake(): void {
    this.#again = true
    if (this.#stopped || this.#running) return
    clearTimeout(this.#timer)
    this.#running = this.#rounds()
      .catch((error: unknown) => this.#options.onError(error))
      .finally(() => {
        this.#running = null
        if (this.#stopped) return
        this.#timer = setTimeout(() => this.wake(), POLL_MS)
        this.#timer.unref()
        if (this.#again) this.wake()
      })
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#running
  }

  async #rounds(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false
      const now = this.#now()
      const due = await this.#options.storage.takeDeliveries(now, new Date(now.getTime() + TAKEN_MS), BATCH)
      if (due.length > 0) this.#again = true
      for (const delivery of due) await this.#deliver(delivery)
    }
  }

  async #deliver(delivery: DeliveryRecord): Promise<void> {
    const { storage, send } = this.#options
    const [hook] = await storage.hooks.find({ id: delivery.hookId })
    if (!hook) return void (await storage.deliveries.remove({ id: delivery.id }))
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'user-agent': 'GitHub-Hookshot/boxyard',
      'x-github-event': delivery.event,
      'x-github-delivery': delivery.guid,
      'x-github-hook-id': String(hook.id),
      ...(hook.secret === null ? {} : { 'x-hub-signature-256': signPayload(hook.secret, delivery.payload) }),
    }
    let status: number | null = null
    try {
      status = await send(hook.url, headers, delivery.payload)
    } catch (error) {
      // Whoever does not answer now may answer later; the attempt is on record.
      this.#options.onError(error)
    }
    const attempts = delivery.attempts + 1
    const delivered = status !== null && status >= 200 && status < 300
    const minutes = delivered ? undefined : RETRY_MINUTES[delivery.attempts]
    const now = this.#now()
    await storage.deliveries.update(
      { id: delivery.id },
      {
        attempts,
        statusCode: status,
        deliveredAt: delivered ? now : null,
        nextAttemptAt: minutes === undefined ? null : new Date(now.getTime() + minutes * 60_000),
      },
    )
  }
}

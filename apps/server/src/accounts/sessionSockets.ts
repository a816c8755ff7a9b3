import { inArray } from 'drizzle-orm'
import type { Duplex } from 'node:stream'
import type { Database } from '../database/database.ts'
import { sessions } from '../database/schema.ts'

/** A session that ends on another instance, or runs out, is noticed within this time. */
const SWEEP_MS = 2_000

/**
 * Open connections by the session that opened them. When a session ends here its connections are cut at once; a sweep finds those of
 * sessions that ended elsewhere.
 */
export class SessionSockets {
  readonly #database: Database
  readonly #onError: (error: unknown) => void
  readonly #sockets = new Map<string, Set<Duplex>>()
  #timer: NodeJS.Timeout | undefined

  constructor(database: Database, onError: (error: unknown) => void) {
    this.#database = database
    this.#onError = onError
  }

  /** Cuts `socket` when the session ends. Without a session, as for anonymous visitors, nothing is remembered. */
  hold(sessionId: string | null | undefined, socket: Duplex): void {
    if (!sessionId || socket.destroyed) return
    const held = this.#sockets.get(sessionId) ?? new Set()
    this.#sockets.set(sessionId, held.add(socket))
    socket.once('close', () => {
      held.delete(socket)
      if (held.size === 0 && this.#sockets.get(sessionId) === held) this.#sockets.delete(sessionId)
    })
    this.#timer ??= this.#next()
  }

  cut(sessionIds: readonly string[]): void {
    for (const id of sessionIds) for (const socket of this.#sockets.get(id) ?? []) socket.destroy()
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  #next(): NodeJS.Timeout {
    return setTimeout(() => void this.#sweep(), SWEEP_MS).unref()
  }

  async #sweep(): Promise<void> {
    try {
      const ids = [...this.#sockets.keys()]
      if (ids.length > 0) {
        const rows = await this.#database
          .select({ id: sessions.id, expiresAt: sessions.expiresAt })
          .from(sessions)
          .where(inArray(sessions.id, ids))
        const alive = new Set(rows.filter(({ expiresAt }) => expiresAt > new Date()).map(({ id }) => id))
        this.cut(ids.filter((id) => !alive.has(id)))
      }
    } catch (error) {
      // The database is away: nobody is cut for that, and the next round looks again.
      this.#onError(error)
    }
    this.#timer = this.#sockets.size > 0 ? this.#next() : undefined
  }
}

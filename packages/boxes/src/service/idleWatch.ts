import type { Clock } from './clock.ts'

interface Use {
  lastAt: number
  holders: number
}

/** Remembers when each box was last used, and tells when one has been idle for long. */
export class IdleWatch {
  readonly #clock: Clock
  readonly #uses = new Map<string, Use>()
  /** Boxes that are watched, with a way to change after how long. */
  readonly #watched = new Map<string, (idleMs: number) => void>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** When the box was last used, or null when nobody has used it since the server started. A held box is in use now. */
  lastUsedAt(id: string): number | null {
    const use = this.#uses.get(id)
    if (use === undefined) return null
    return use.holders > 0 ? this.#clock.now() : use.lastAt
  }

  touch(id: string): void {
    this.#use(id).lastAt = this.#clock.now()
  }

  /** Keeps a box from being idle until the returned function is called. */
  hold(id: string): () => void {
    this.#use(id).holders += 1
    let held = true
    return () => {
      if (!held) return
      held = false
      const use = this.#use(id)
      use.holders -= 1
      use.lastAt = this.#clock.now()
    }
  }

  /** Calls `onIdle` once when nobody has held or touched the box for `idleMs`. */
  watch(id: string, idleMs: number, onIdle: () => void): () => void {
    this.touch(id)
    let limit = idleMs
    let timer: unknown
    const look = (): void => {
      const { lastAt, holders } = this.#use(id)
      const left = holders > 0 ? limit : lastAt + limit - this.#clock.now()
      if (left <= 0) onIdle()
      else timer = this.#clock.setTimeout(look, left)
    }
    const change = (changed: number): void => {
      limit = changed
      this.#clock.clearTimeout(timer)
      look()
    }
    this.#watched.set(id, change)
    look()
    return () => {
      this.#clock.clearTimeout(timer)
      if (this.#watched.get(id) === change) this.#watched.delete(id)
    }
  }

  /** Changes after how long without use a watched box is idle. */
  setLimit(id: string, idleMs: number): void {
    this.#watched.get(id)?.(idleMs)
  }

  forget(id: string): void {
    this.#uses.delete(id)
  }

  #use(id: string): Use {
    const known = this.#uses.get(id)
    if (known !== undefined) return known
    const use = { lastAt: this.#clock.now(), holders: 0 }
    this.#uses.set(id, use)
    return use
  }
}

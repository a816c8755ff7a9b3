import { browserClock } from './clock.ts'
import type { Clock } from './clock.ts'

export type NoticeTone = 'info' | 'success' | 'warning' | 'error'

export interface NoticeContent {
  /** While a notice of this name is shown, another one of it is ignored. */
  uniqueName?: string
  tone?: NoticeTone
  title: string
  body?: string
  actions?: readonly { label: string; perform: () => void }[]
  /** Milliseconds after which the notice goes by itself; without it, it stays until dismissed. */
  timeout?: number
}

export interface Notice extends NoticeContent {
  id: string
}

/** The notices on the page, newest last. */
export class NoticeStore {
  #notices: readonly Notice[] = []
  #next = 1
  readonly #listeners = new Set<() => void>()
  readonly #timers = new Map<string, () => void>()
  readonly #clock: Clock

  constructor(clock: Clock = browserClock) {
    this.#clock = clock
  }

  readonly all = (): readonly Notice[] => this.#notices

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Answers with the id of the notice, also when one of the same unique name was there already. */
  add(content: NoticeContent): string {
    const present = content.uniqueName && this.#notices.find((notice) => notice.uniqueName === content.uniqueName)
    if (present) return present.id
    const id = `notice-${this.#next++}`
    this.#set([...this.#notices, { ...content, id }])
    if (content.timeout !== undefined)
      this.#timers.set(
        id,
        this.#clock.after(content.timeout, () => this.dismiss(id)),
      )
    return id
  }

  /** Takes an id or a unique name; unknown ones are ignored. */
  dismiss(idOrUniqueName: string): void {
    const gone = this.#notices.filter((notice) => [notice.id, notice.uniqueName].includes(idOrUniqueName))
    if (gone.length === 0) return
    for (const { id } of gone) {
      this.#timers.get(id)?.()
      this.#timers.delete(id)
    }
    this.#set(this.#notices.filter((notice) => !gone.includes(notice)))
  }

  #set(notices: readonly Notice[]): void {
    this.#notices = notices
    for (const listener of this.#listeners) listener()
  }
}

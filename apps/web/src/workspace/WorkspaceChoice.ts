const KEY = 'boxyard.workspace'

/** Which workspace the person looked at last, kept in this browser. */
export class WorkspaceChoice {
  #id: string | null
  readonly #storage: Pick<Storage, 'getItem' | 'setItem'>
  readonly #listeners = new Set<() => void>()

  constructor(storage: Pick<Storage, 'getItem' | 'setItem'> = window.localStorage) {
    this.#storage = storage
    this.#id = storage.getItem(KEY)
  }

  readonly current = (): string | null => this.#id

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  choose(id: string): void {
    if (id === this.#id) return
    this.#id = id
    this.#storage.setItem(KEY, id)
    for (const listener of this.#listeners) listener()
  }
}

import type { RunnerModule } from '../common/messages.ts'

type Callback = (module: unknown) => void
type Listener = (data: unknown) => void

/** `import.meta.hot` of one version of one module. */
export class HotContext {
  readonly data: Record<string, unknown>
  acceptsSelf = false
  declined = false
  readonly #id: string
  readonly #source: RunnerModule
  readonly #reload: () => void
  readonly #callbacks: {
    ids: readonly string[]
    isList: boolean
    callback: Callback | ((modules: unknown[]) => void) | undefined
  }[] = []
  readonly #disposers: ((data: Record<string, unknown>) => void)[] = []
  static readonly #listeners = new Map<string, Set<Listener>>()

  constructor(id: string, data: Record<string, unknown>, source: RunnerModule, reload: () => void) {
    this.#id = id
    this.data = data
    this.#source = source
    this.#reload = reload
  }

  accept(target?: string | readonly string[] | Callback, callback?: Callback | ((modules: unknown[]) => void)): void {
    if (typeof target === 'string' || Array.isArray(target)) {
      const specifiers = typeof target === 'string' ? [target] : (target as readonly string[])
      const ids = specifiers.flatMap((specifier) => {
        const meaning = this.#source.imports[specifier]
        return meaning && 'module' in meaning ? [meaning.module] : []
      })
      this.#callbacks.push({ ids, isList: typeof target !== 'string', callback })
      return
    }
    this.acceptsSelf = true
    this.#callbacks.push({ ids: [this.#id], isList: false, callback: target as Callback | undefined })
  }

  /** Without a disposer: this version is about to go. What it leaves is one object for all versions, as modules expect. */
  dispose(disposer?: (data: Record<string, unknown>) => void): Record<string, unknown> {
    if (disposer) this.#disposers.push(disposer)
    else for (const run of this.#disposers) run(this.data)
    return this.data
  }

  /** Modules stay as long as the page does, so there is nothing to tell. */
  prune(_callback: () => void): void {}

  decline(): void {
    this.declined = true
  }

  invalidate(): void {
    this.#reload()
  }

  on(event: string, listener: Listener): void {
    const listeners = HotContext.#listeners.get(event) ?? new Set()
    HotContext.#listeners.set(event, listeners.add(listener))
  }

  off(event: string, listener: Listener): void {
    HotContext.#listeners.get(event)?.delete(listener)
  }

  /** There is no server behind the page that could hear it. */
  send(): void {}

  accepts(id: string): boolean {
    return this.#callbacks.some(({ ids }) => id !== this.#id && ids.includes(id))
  }

  /** Hands a new version of `id` to whoever said to accept it. */
  accepted(id: string, exports: unknown): void {
    for (const { ids, isList, callback } of this.#callbacks) {
      if (!ids.includes(id) || !callback) continue
      if (isList) (callback as (modules: unknown[]) => void)(ids.map((one) => (one === id ? exports : undefined)))
      else (callback as Callback)(exports)
    }
  }
}

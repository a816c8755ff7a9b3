export interface RecentlyUsedLimits {
  entries: number
  /** Of all together, in whatever the weights are given in. */
  weight: number
}

/** What was asked for last, as much as fits: numbers alone would let a few huge ones fill the memory. */
export class RecentlyUsed<Value> {
  readonly #limits: RecentlyUsedLimits
  readonly #entries = new Map<string, { value: Value; weight: number }>()
  #weight = 0

  constructor(limits: RecentlyUsedLimits) {
    this.#limits = limits
  }

  get(key: string): Value | undefined {
    const found = this.#entries.get(key)
    if (!found) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, found)
    return found.value
  }

  set(key: string, value: Value, weight: number): void {
    this.#remove(key)
    this.#entries.set(key, { value, weight })
    this.#weight += weight
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#limits.entries && this.#weight <= this.#limits.weight) return
      this.#remove(oldest)
    }
  }

  #remove(key: string): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0
    this.#entries.delete(key)
  }
}

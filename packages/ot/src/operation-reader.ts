import type { TextOperation } from './operation.ts'

/** Walks an operation and hands out its components in pieces, so that two operations can be read in step. */
export class OperationReader {
  readonly #operation: TextOperation
  #index = 0
  #taken = 0
  kind: 'retain' | 'insert' | 'delete' | 'end' = 'end'
  /** Units left of the current component. */
  remaining = 0

  constructor(operation: TextOperation) {
    this.#operation = operation
    this.#load()
  }

  /** Whether nothing but unchanged text follows. */
  get isAtLastRetain(): boolean {
    return this.kind === 'end' || (this.kind === 'retain' && this.#index === this.#operation.length - 1)
  }

  /** The current component's text that is not yet taken. Only for an insert. */
  take(count: number): string {
    const component = this.#operation[this.#index] as string
    const text =
      this.#taken === 0 && count === component.length ? component : component.slice(this.#taken, this.#taken + count)
    this.skip(count)
    return text
  }

  skip(count: number): void {
    this.#taken += count
    this.remaining -= count
    if (this.remaining > 0) return
    this.#index += 1
    this.#load()
  }

  #load(): void {
    this.#taken = 0
    const component = this.#operation[this.#index]
    if (component === undefined) {
      this.kind = 'end'
      this.remaining = 0
    } else if (typeof component === 'string') {
      this.kind = 'insert'
      this.remaining = component.length
    } else if (component > 0) {
      this.kind = 'retain'
      this.remaining = component
    } else {
      this.kind = 'delete'
      this.remaining = -component
    }
  }
}

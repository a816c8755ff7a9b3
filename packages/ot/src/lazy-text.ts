import { compose } from './compose.ts'
import { apply, isNoop, targetLength } from './operation.ts'
import type { TextOperation } from './operation.ts'

/** Components up to which operations wait before they are applied. */
const MAXIMUM_COMPONENTS_WAITING = 128

/** A text that takes operations without being copied for each: they are composed and applied when the text is read. */
export class LazyText {
  #text: string
  #waiting: TextOperation = []
  #length: number

  constructor(text: string) {
    this.#text = text
    this.#length = text.length
  }

  /** Length in UTF-16 code units; cheaper than reading the text. */
  get length(): number {
    return this.#length
  }

  read(): string {
    if (!isNoop(this.#waiting)) this.#text = apply(this.#text, this.#waiting)
    this.#waiting = []
    return this.#text
  }

  /** Applies an operation that covers the whole text. */
  change(operation: TextOperation): void {
    if (operation.length === 0) return
    this.#waiting = compose(this.#waiting, operation)
    this.#length = targetLength(operation)
    if (this.#waiting.length > MAXIMUM_COMPONENTS_WAITING) this.read()
  }
}

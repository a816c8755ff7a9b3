import { savedHash as hashOf } from '@boxyard/protocol'

/** Compares a text with what is saved, by hash; where the lengths differ already, without reading the text. */
export class DirtyState {
  readonly #read: { text(): string; length(): number }
  #savedHash: string
  /** Length of the saved text, where it is known. */
  #savedLength: number | undefined
  #isDirty: boolean

  constructor(read: { text(): string; length(): number }, savedHash: string) {
    this.#read = read
    this.#savedHash = savedHash
    this.#isDirty = hashOf(read.text()) !== savedHash
    if (!this.#isDirty) this.#savedLength = read.length()
  }

  get savedHash(): string {
    return this.#savedHash
  }

  get isDirty(): boolean {
    return this.#isDirty
  }

  saved(savedHash: string, length: number | undefined): void {
    this.#savedHash = savedHash
    this.#savedLength = length
  }

  /** Looks again; answers whether `isDirty` changed. */
  update(): boolean {
    const before = this.#isDirty
    const differsInLength = this.#savedLength !== undefined && this.#savedLength !== this.#read.length()
    this.#isDirty = differsInLength || hashOf(this.#read.text()) !== this.#savedHash
    return before !== this.#isDirty
  }
}

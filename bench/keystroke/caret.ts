/** About a line: then somebody goes elsewhere in the text. */
const KEYSTROKES = 40

/** Where somebody types: one character behind the other, for a while, then elsewhere. Others' edits move it from outside. */
export class Caret {
  position = 0
  /** Counts the places so far; what is typed in one place is undone together. */
  burst = 0
  #left = 0

  /** The offset of the next character in a text of `length`. */
  next(length: number): number {
    if (this.#left === 0) {
      this.position = Math.floor(Math.random() * (length + 1))
      this.burst += 1
      this.#left = KEYSTROKES
    }
    this.#left -= 1
    const { position } = this
    this.position += 1
    return position
  }
}

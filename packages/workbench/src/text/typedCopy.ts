/** A text with what somebody typed into it where the editor itself does not take edits. */
export interface OwnEdit {
  /** Relative to the workspace. */
  path: string
  /** The text as the box has it. */
  base: string
  text: string
  /** Where the caret is now, in UTF-16 units. */
  caret: number
}

/** Takes the keys that a read-only editor refuses, so that they are there when the text can be edited. */
export class TypedCopy {
  readonly #path: string
  readonly #base: string
  #text: string
  #start: number
  #end: number

  /** `start` and `end` are the selection at the first key. */
  constructor(values: { path: string; base: string; start: number; end: number }) {
    this.#path = values.path
    this.#base = this.#text = values.base
    this.#start = values.start
    this.#end = values.end
  }

  /** Takes a key by its name, as `KeyboardEvent.key` has it; those that edit nothing are ignored. */
  press(key: string): void {
    if (key === 'Enter') this.insert('\n')
    else if (key === 'Tab') this.insert('  ')
    else if (key === 'Backspace') this.#remove(-1)
    else if (key === 'Delete') this.#remove(1)
    // Names of keys are words; what is typed is one character, however many units it takes.
    else if ([...key].length === 1) this.insert(key)
  }

  insert(typed: string): void {
    this.#text = this.#text.slice(0, this.#start) + typed + this.#text.slice(this.#end)
    this.#start = this.#end = this.#start + typed.length
  }

  get edit(): OwnEdit {
    return { path: this.#path, base: this.#base, text: this.#text, caret: this.#start }
  }

  #remove(by: 1 | -1): void {
    if (this.#start !== this.#end) {
      this.insert('')
      return
    }
    const from = Math.max(0, Math.min(this.#start, this.#start + by))
    const to = Math.min(this.#text.length, Math.max(this.#start, this.#start + by))
    this.#text = this.#text.slice(0, from) + this.#text.slice(to)
    this.#start = this.#end = from
  }
}

/** The characters that one undo group inserted and deleted when it was made. */
export interface GroupContent {
  inserted: Set<string>
  deleted: Set<string>
}

interface Character {
  typedBy: string | undefined
  /** Whether another author than the typist deleted it and brought it back: then the typist's undo leaves it. */
  wasBroughtBack: boolean
  deletedBy: string | undefined
  isVisible: boolean
}

/**
 * Judges whose every character is from the order of the server's operations alone; every character occurs once.
 * Knows nothing of how undo works. Each check throws with the rule that is broken.
 */
export class OwnershipOracle {
  readonly #characters = new Map<string, Character>()
  readonly #original: string

  constructor(original: string) {
    this.#original = original
    for (const character of original) {
      this.#characters.set(character, {
        typedBy: undefined,
        wasBroughtBack: false,
        deletedBy: undefined,
        isVisible: true,
      })
    }
  }

  /** Notes an accepted operation. Call for each, in the server's order. */
  observe(author: string, inserted: readonly string[], deleted: readonly string[]): void {
    for (const name of deleted) {
      const character = this.#characters.get(name)!
      character.isVisible = false
      character.deletedBy = author
    }
    for (const name of inserted) {
      const character = this.#characters.get(name)
      if (!character) {
        this.#characters.set(name, { typedBy: author, wasBroughtBack: false, deletedBy: undefined, isVisible: true })
        continue
      }
      if (character.isVisible) throw new Error(`E3: ${author} inserts a character that is there already.`)
      if (character.deletedBy !== author) throw new Error(`E5: ${author} brings back what another author deleted.`)
      character.isVisible = true
      if (author !== character.typedBy) character.wasBroughtBack = true
    }
  }

  /** An undo inserts only what its group deleted and deletes only what its group inserted. */
  checkUndo(group: GroupContent, inserted: readonly string[], deleted: readonly string[]): void {
    if (!inserted.every((name) => group.deleted.has(name)))
      throw new Error('G: an undo inserts what its group did not delete.')
    if (!deleted.every((name) => group.inserted.has(name)))
      throw new Error('G: an undo deletes what its group did not insert.')
  }

  /** After an author has undone everything: nothing of it is left, nothing is missing, nobody else is touched. */
  checkAllUndone(author: string, text: string): void {
    const visible = new Set(text)
    for (const [name, character] of this.#characters) {
      if (character.isVisible !== visible.has(name)) throw new Error('The oracle has lost track of the text.')
      if (character.isVisible && character.typedBy === author && !character.wasBroughtBack) {
        throw new Error(`E1: text of ${author} is left.`)
      }
      if (!character.isVisible && character.deletedBy === author && character.typedBy !== author) {
        throw new Error(`E2/E4: ${author} has deleted what is not its own and does not bring it back.`)
      }
    }
    if (visible.size !== text.length) throw new Error('E3: a character is there twice.')
  }

  /** After all authors have undone everything: the whole original text is there. */
  checkOriginal(text: string): void {
    for (const name of this.#original) if (!text.includes(name)) throw new Error('E2: original text is missing.')
  }
}

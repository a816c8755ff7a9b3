/** A piece of a pattern: the places of `text` where it can end when it begins at one of `starts`. Takes time by the length of the text alone. */
type Piece = (text: string, starts: ReadonlySet<number>) => Set<number>

/**
 * A pattern of an `.editorconfig`: `*`, `**`, `?`, `[name]`, `[!name]`, `{a,b}`, `{1..9}`, and `\` before what means itself. It is tried place by
 * place, never by a regular expression: the file comes from strangers, and no pattern may take long.
 */
export class Glob {
  readonly #pieces: readonly Piece[]

  constructor(pattern: string) {
    // Without a slash it is the name of a file in any folder.
    const rooted = pattern.includes('/') ? pattern.replace(/^\/*/, '/') : `/**/${pattern}`
    this.#pieces = new PatternReader(rooted).pieces()
  }

  /** @param path relative to the folder of the `.editorconfig`, without a slash at its beginning */
  matches(path: string): boolean {
    const text = `/${path}`
    return endsOf(this.#pieces, text, new Set([0])).has(text.length)
  }
}

const endsOf = (pieces: readonly Piece[], text: string, starts: ReadonlySet<number>): ReadonlySet<number> =>
  pieces.reduce((places, piece) => piece(text, places), starts)

const character =
  (fits: (one: string) => boolean): Piece =>
  (text, starts) => {
    const ends = new Set<number>()
    for (const start of starts) if (start < text.length && fits(text[start]!)) ends.add(start + 1)
    return ends
  }

const anyName: Piece = (text, starts) => {
  const ends = new Set<number>()
  for (const start of starts) {
    // From an end of another one everything behind it is there already.
    for (let end = start; end <= text.length && !ends.has(end); end += 1) {
      ends.add(end)
      if (text[end] === '/') break
    }
  }
  return ends
}

const anything: Piece = (text, starts) => {
  const ends = new Set<number>()
  for (let end = Math.min(...starts); end <= text.length; end += 1) ends.add(end)
  return ends
}

/** A slash, or any folders between two. */
const anyFolders: Piece = (text, starts) => {
  const first = Math.min(...[...starts].filter((start) => text[start] === '/'))
  const ends = new Set<number>()
  for (let end = first + 1; end <= text.length; end += 1) if (text[end - 1] === '/') ends.add(end)
  return ends
}

const oneOf =
  (choices: readonly (readonly Piece[])[]): Piece =>
  (text, starts) =>
    new Set(choices.flatMap((pieces) => [...endsOf(pieces, text, starts)]))

/** A whole number without zeros before it. */
const numberBetween =
  (low: number, high: number): Piece =>
  (text, starts) => {
    const ends = new Set<number>()
    for (const start of starts) {
      const found = /^[+-]?(?:0|[1-9]\d*)/.exec(text.slice(start, start + 20))?.[0] ?? ''
      for (let length = 1; length <= found.length; length += 1) {
        const value = Number(found.slice(0, length))
        if (value >= low && value <= high) ends.add(start + length)
      }
    }
    return ends
  }

class PatternReader {
  readonly #pattern: string
  #at = 0

  constructor(pattern: string) {
    this.#pattern = pattern
  }

  pieces(): Piece[] {
    const pieces: Piece[] = []
    while (this.#at < this.#pattern.length) pieces.push(this.#piece())
    return pieces
  }

  #piece(): Piece {
    const rest = this.#pattern.slice(this.#at)
    if (rest.startsWith('/**/')) return this.#take(4, anyFolders)
    if (rest.startsWith('**')) return this.#take(2, anything)
    if (rest.startsWith('*')) return this.#take(1, anyName)
    if (rest.startsWith('?'))
      return this.#take(
        1,
        character((one) => one !== '/'),
      )
    if (rest.startsWith('[')) return this.#class(rest) ?? this.#literal(1)
    if (rest.startsWith('{')) return this.#braces(rest) ?? this.#literal(1)
    return rest.startsWith('\\') && rest.length > 1 ? this.#literal(2) : this.#literal(1)
  }

  #take(length: number, piece: Piece): Piece {
    this.#at += length
    return piece
  }

  /** One character, written with `length`. */
  #literal(length: number): Piece {
    const wanted = this.#pattern[this.#at + length - 1]
    return this.#take(
      length,
      character((one) => one === wanted),
    )
  }

  #class(rest: string): Piece | undefined {
    const found = /^\[(!?)((?:\\.|[^\]\\])+)\]/.exec(rest)
    // A class never spans folders; such brackets mean themselves.
    if (!found || found[2]!.includes('/')) return undefined
    const wanted = classOf(found[2]!)
    const isNegated = found[1] === '!'
    return this.#take(
      found[0].length,
      character((one) => one !== '/' && wanted(one) !== isNegated),
    )
  }

  #braces(rest: string): Piece | undefined {
    const choices = choicesOf(rest)
    if (!choices) return undefined
    const { texts, length } = choices
    const range = /^([+-]?\d+)\.\.([+-]?\d+)$/.exec(texts[0]!)
    if (texts.length === 1) {
      if (!range) return undefined
      const [one, other] = [Number(range[1]), Number(range[2])]
      return this.#take(length, numberBetween(Math.min(one, other), Math.max(one, other)))
    }
    return this.#take(length, oneOf(texts.map((text) => new PatternReader(text).pieces())))
  }
}

function classOf(written: string): (one: string) => boolean {
  const letters = [...written.matchAll(/\\(.)|(.)/gs)].map(([, escaped, plain]) => ({
    letter: escaped ?? plain!,
    isRange: plain === '-',
  }))
  const ranges: [string, string][] = []
  for (let index = 0; index < letters.length; index += 1) {
    const to = letters[index + 1]?.isRange ? letters[index + 2] : undefined
    ranges.push([letters[index]!.letter, (to ?? letters[index]!).letter])
    if (to) index += 2
  }
  return (one) => ranges.some(([low, high]) => one >= low && one <= high)
}

/** What stands between the commas of the braces at the beginning; undefined when they are not closed. */
function choicesOf(text: string): { texts: string[]; length: number } | undefined {
  const texts: string[] = []
  let depth = 0
  let begin = 1
  for (let at = 0; at < text.length; at += 1) {
    const one = text[at]
    if (one === '\\') at += 1
    else if (one === '{') depth += 1
    else if (one === ',' && depth === 1) {
      texts.push(text.slice(begin, at))
      begin = at + 1
    } else if (one === '}') {
      depth -= 1
      if (depth === 0) return { texts: [...texts, text.slice(begin, at)], length: at + 1 }
    }
  }
  return undefined
}

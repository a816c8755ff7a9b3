/** What a script of settings says where it can be read without running it. */
export type Literal =
  | { kind: 'plain'; value: string | number | boolean | null }
  | { kind: 'list'; items: readonly Literal[] }
  /** `isWhole`: it has nothing beside its members, such as `...more`. */
  | { kind: 'object'; members: ReadonlyMap<string, Literal>; isWhole: boolean; names: readonly string[] }
  /** `again`: what the function that a call gives is called with. */
  | { kind: 'call'; name: string; given: readonly Literal[]; again?: readonly Literal[] }
  | { kind: 'name'; name: string }
  | { kind: 'pattern'; source: string }
  /** Has to be run to be known. */
  | { kind: 'unknown' }

type Token = { kind: 'text' | 'word' | 'number' | 'pattern' | 'sign'; text: string }

const TOKEN =
  /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|(?<text>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\$]|\\.)*`)|(?<word>[\p{L}_$][\p{L}\p{N}_$]*)|(?<number>\d[\w.]*)|(?<pattern>(?<=[(,:=[]\s*)\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*)|(?<sign>`(?:[^`\\]|\\.)*`|=>|\.\.\.|[^])/gu
const UNKNOWN: Literal = { kind: 'unknown' }
const OPENING = new Set(['(', '[', '{'])
const ENDS = new Set([',', ')', ']', '}', ';'])
/** What begins the next statement, where no sign stands before it. */
const BEGINS = new Set(['export', 'const', 'let', 'var', 'import', 'function', 'module'])

/** Reads what is written out in a script of settings: objects, lists, texts, and calls by their name. It never runs anything. */
export class SettingsScript {
  readonly #tokens: Token[] = []
  /** Where something comes from, by its name in the script. */
  readonly packages = new Map<string, string>()

  constructor(text: string) {
    for (const { groups = {} } of text.matchAll(TOKEN)) {
      const found = Object.entries(groups).find(([, value]) => value !== undefined)
      if (found) this.#tokens.push({ kind: found[0] as Token['kind'], text: found[1]! })
    }
    this.#readImports()
  }

  /** What it exports: an object, or one that is given to a function, or made by one. */
  get exported(): Literal {
    const start = this.#find(['export', 'default']) ?? this.#find(['module', '.', 'exports', '='])
    return start === undefined ? UNKNOWN : this.#settingsOf(this.#value(start).literal)
  }

  /** What stands for a name: the constant that is written out under it. */
  constant(name: string): Literal {
    const start = this.#find(['const', name, '='])
    return start === undefined ? UNKNOWN : this.#value(start).literal
  }

  #settingsOf(literal: Literal, depth = 0): Literal {
    if (depth > 5) return UNKNOWN
    if (literal.kind === 'name') return this.#settingsOf(this.constant(literal.name), depth + 1)
    if (literal.kind === 'call' && literal.given.length === 1) return this.#settingsOf(literal.given[0]!, depth + 1)
    return literal
  }

  #readImports(): void {
    const tokens = this.#tokens
    for (let at = 0; at < tokens.length; at += 1) {
      if (tokens[at]!.text !== 'import' || tokens[at + 1]?.text === '(' || tokens[at + 1]?.text === '.') continue
      const names: string[] = []
      let next = at + 1
      for (; next < tokens.length && tokens[next]!.kind !== 'text'; next += 1) {
        if (tokens[next]!.kind === 'word' && tokens[next]!.text !== 'from') names.push(tokens[next]!.text)
      }
      for (const name of names) this.packages.set(name, textOf(tokens[next]?.text ?? ''))
      at = next
    }
  }

  /** Behind these tokens. */
  #find(words: readonly string[]): number | undefined {
    const at = this.#tokens.findIndex((_, index) => words.every((word, of) => this.#tokens[index + of]?.text === word))
    return at < 0 ? undefined : at + words.length
  }

  #value(at: number): { literal: Literal; next: number } {
    const read = this.#primary(at)
    let { next } = read
    // A type behind a value means nothing here.
    if (['as', 'satisfies'].includes(this.#tokens[next]?.text ?? '')) next = this.#skip(next)
    const end = this.#tokens[next]
    if (!end || ENDS.has(end.text) || (end.kind === 'word' && BEGINS.has(end.text))) return { ...read, next }
    return { literal: UNKNOWN, next: this.#skip(next) }
  }

  #primary(at: number): { literal: Literal; next: number } {
    const token = this.#tokens[at]
    if (!token) return { literal: UNKNOWN, next: at }
    const { kind, text } = token
    if (kind === 'text') return { literal: { kind: 'plain', value: textOf(text) }, next: at + 1 }
    if (kind === 'number' && Number.isFinite(Number(text)))
      return { literal: { kind: 'plain', value: Number(text) }, next: at + 1 }
    if (kind === 'pattern') return { literal: { kind: 'pattern', source: text }, next: at + 1 }
    if (text === '[') return this.#list(at + 1, ']')
    if (text === '{') return this.#object(at + 1)
    if (text === 'async' || text === '(') return this.#function(text === '(' ? at : at + 1)
    if (kind !== 'word') return { literal: UNKNOWN, next: this.#skip(at) }
    if (text === 'true' || text === 'false') return { literal: { kind: 'plain', value: text === 'true' }, next: at + 1 }
    if (text === 'null') return { literal: { kind: 'plain', value: null }, next: at + 1 }
    return this.#named(at)
  }

  #named(at: number): { literal: Literal; next: number } {
    let next = at
    let name = ''
    if (this.#tokens[at]?.text === 'new') {
      name = 'new '
      next += 1
    }
    name += this.#tokens[next]?.text ?? ''
    next += 1
    while (this.#tokens[next]?.text === '.' && this.#tokens[next + 1]?.kind === 'word') {
      name += `.${this.#tokens[next + 1]!.text}`
      next += 2
    }
    if (this.#tokens[next]?.text !== '(') return { literal: { kind: 'name', name }, next }
    const { literal, next: after } = this.#list(next + 1, ')')
    const given = literal.kind === 'list' ? literal.items : []
    if (this.#tokens[after]?.text === '(') {
      const second = this.#list(after + 1, ')')
      const again = second.literal.kind === 'list' ? second.literal.items : []
      return { literal: { kind: 'call', name, given, again }, next: second.next }
    }
    // The path of an address is what it is read for.
    const isPath = this.#tokens[after]?.text === '.' && this.#tokens[after + 1]?.text === 'pathname'
    return { literal: { kind: 'call', name, given }, next: isPath ? after + 2 : after }
  }

  #list(at: number, end: string): { literal: Literal; next: number } {
    const items: Literal[] = []
    let next = at
    while (next < this.#tokens.length && this.#tokens[next]!.text !== end) {
      const item = this.#value(next)
      items.push(item.literal)
      next = Math.max(item.next, next + 1)
      if (this.#tokens[next]?.text === ',') next += 1
    }
    return { literal: { kind: 'list', items }, next: next + 1 }
  }

  #object(at: number): { literal: Literal; next: number } {
    const members = new Map<string, Literal>()
    const names: string[] = []
    let isWhole = true
    let next = at
    while (next < this.#tokens.length && this.#tokens[next]!.text !== '}') {
      const { kind, text } = this.#tokens[next]!
      const key = kind === 'text' ? textOf(text) : text
      const follows = this.#tokens[next + 1]?.text
      if ((kind === 'word' || kind === 'text') && follows === ':') {
        const start = next + 2
        const member = this.#value(start)
        members.set(key, member.literal)
        if (key === 'plugins') names.push(...this.#wordsIn(start, member.next))
        next = Math.max(member.next, start)
      } else if (kind === 'word' && (follows === ',' || follows === '}')) {
        members.set(key, { kind: 'name', name: key })
        next += 1
      } else {
        isWhole = false
        next = Math.max(this.#skip(next), next + 1)
      }
      if (this.#tokens[next]?.text === ',') next += 1
    }
    return { literal: { kind: 'object', members, isWhole, names }, next: next + 1 }
  }

  /** A function gives what stands behind its first `return`, or behind its arrow. */
  #function(at: number): { literal: Literal; next: number } {
    const body = this.#pastGroup(at)
    if (this.#tokens[body]?.text !== '=>') {
      const inner = this.#value(at + 1)
      return body === inner.next + 1 ? { ...inner, next: body } : { literal: UNKNOWN, next: body }
    }
    if (this.#tokens[body + 1]?.text === '(') {
      return { literal: this.#value(body + 2).literal, next: this.#pastGroup(body + 1) }
    }
    if (this.#tokens[body + 1]?.text !== '{') return { literal: UNKNOWN, next: this.#skip(body + 1) }
    const next = this.#pastGroup(body + 1)
    const returns: number[] = []
    for (let index = body + 2; index < next; index += 1)
      if (this.#tokens[index]!.text === 'return') returns.push(index + 1)
    // With several, which one counts is only known when it runs.
    return { literal: returns.length === 1 ? this.#value(returns[0]!).literal : UNKNOWN, next }
  }

  #wordsIn(start: number, end: number): string[] {
    return this.#tokens.slice(start, end).flatMap(({ kind, text }) => (kind === 'word' ? [text] : []))
  }

  /** The end of a value: the next comma, or what closes the group that it stands in. */
  #skip(at: number): number {
    let next = at
    while (next < this.#tokens.length && !ENDS.has(this.#tokens[next]!.text))
      next = OPENING.has(this.#tokens[next]!.text) ? this.#pastGroup(next) : next + 1
    return next
  }

  #pastGroup(at: number): number {
    let depth = 0
    let next = at
    for (; next < this.#tokens.length; next += 1) {
      const { kind, text } = this.#tokens[next]!
      if (kind !== 'sign') continue
      if (OPENING.has(text)) depth += 1
      else if (text === ')' || text === ']' || text === '}') depth -= 1
      if (depth === 0) return next + 1
    }
    return next
  }
}

function textOf(written: string): string {
  return written.slice(1, -1).replace(/\\(.)/g, '$1')
}

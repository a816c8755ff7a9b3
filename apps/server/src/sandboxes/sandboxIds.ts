import { randomInt } from 'node:crypto'

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'
const LENGTH = 6
const LONGEST = 60

/** Six lower-case letters and digits: two billion, short enough for a host name. Whoever inserts it finds out if it is taken. */
export function newSandboxId(random: (below: number) => number = randomInt): string {
  return Array.from({ length: LENGTH }, () => alphabet[random(alphabet.length)]).join('')
}

/** `my-todo-list-a1b2c3`: readable, and the id is still in it. */
export function aliasOf(sandbox: { id: string; title: string | null; chosenAlias: string | null }): string {
  if (sandbox.chosenAlias !== null) return sandbox.chosenAlias
  const words = wordsOf((sandbox.title ?? '').normalize('NFKD').toLowerCase())
  return words === '' ? sandbox.id : `${words}-${sandbox.id}`
}

/** Letters and digits with a dash for all between them. Each entry of a list has an alias, and this takes half of what a pattern takes. */
function wordsOf(text: string): string {
  let words = ''
  let isBetween = false
  for (let at = 0; at < text.length && words.length < LONGEST; at += 1) {
    const code = text.charCodeAt(at)
    const isWord = (code >= 97 && code <= 122) || (code >= 48 && code <= 57)
    if (isWord) words += isBetween && words !== '' ? `-${text[at]}` : text[at]
    isBetween = !isWord
  }
  return words.slice(0, LONGEST)
}

/** The id in an id or an alias, or null. */
export function sandboxIdOf(idOrAlias: string): string | null {
  return /(?:^|-)([a-z0-9]{6})$/.exec(idOrAlias)?.[1] ?? null
}

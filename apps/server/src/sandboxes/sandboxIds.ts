import { randomInt } from 'node:crypto'

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'
const LENGTH = 6

/** Six lower-case letters and digits: two billion, short enough for a host name. Whoever inserts it finds out if it is taken. */
export function newSandboxId(random: (below: number) => number = randomInt): string {
  return Array.from({ length: LENGTH }, () => alphabet[random(alphabet.length)]).join('')
}

/** `my-todo-list-a1b2c3`: readable, and the id is still in it. */
export function aliasOf(sandbox: { id: string; title: string | null; chosenAlias: string | null }): string {
  if (sandbox.chosenAlias !== null) return sandbox.chosenAlias
  const words = (sandbox.title ?? '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
  return words === '' ? sandbox.id : `${words}-${sandbox.id}`
}

/** The id in an id or an alias, or null. */
export function sandboxIdOf(idOrAlias: string): string | null {
  return /(?:^|-)([a-z0-9]{6})$/.exec(idOrAlias)?.[1] ?? null
}

import { compileRows } from './compileRows.ts'
import type { Queryable } from './database.ts'

type Values = Record<string, unknown>
interface Prepared<Rows> {
  execute(values: Values): Promise<Rows>
}
interface Preparable<Rows> {
  prepare(name: string): Prepared<Rows>
}

/** How many shapes of one statement connections keep; each costs memory in every process of PostgreSQL. */
const MOST_SHAPES = 100
const names = new Set<string>()

/**
 * A statement that is asked often. Its text is made once for each database, and PostgreSQL reads and plans it once for each connection
 * instead of every time. What changes from one time to the next are placeholders.
 */
export function defineStatement<Given extends Values, Rows>(
  name: string,
  build: (database: Queryable) => Preparable<Rows>,
): (database: Queryable, given: Given) => Promise<Rows> {
  const ask = defineStatements<null, Given, Rows>(name, build)
  return (database, given) => ask(database, null, given)
}

/** The same for one whose text also depends on what is asked for. Shapes beyond the first many are made anew each time. */
export function defineStatements<Shape, Given extends Values, Rows>(
  name: string,
  build: (database: Queryable, shape: Shape) => Preparable<Rows>,
): (database: Queryable, shape: Shape, given: Given) => Promise<Rows> {
  // Two texts under one name would be refused by the connection that sees both.
  if (names.has(name)) throw new Error(`There is a statement ${name} already`)
  names.add(name)
  const numbers = new Map<string, number>()
  const prepared = new WeakMap<Queryable, Map<string, Prepared<Rows>>>()

  return (database, shape, given) => {
    const key = JSON.stringify(shape)
    const known = prepared.get(database) ?? new Map<string, Prepared<Rows>>()
    prepared.set(database, known)
    const present = known.get(key)
    if (present) return present.execute(given)
    if (!numbers.has(key)) {
      if (numbers.size === MOST_SHAPES) return build(database, shape).prepare('').execute(given)
      numbers.set(key, numbers.size)
    }
    const made = compileRows(build(database, shape).prepare(`${name} ${numbers.get(key)}`))
    known.set(key, made)
    return made.execute(given)
  }
}

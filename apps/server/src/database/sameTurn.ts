import type { Queryable } from './database.ts'

type Ask<Given, Answer> = (database: Queryable, given: Given) => Promise<Answer>

/**
 * Questions that are the same and come in the same turn of the process are one statement. It leaves after the last of them has come, so
 * that each is answered as if it had been asked alone. Requests of one page come together, and so do all of a busy server.
 */
export function sameInTurn<Given, Answer>(
  keyOf: (given: Given) => string,
  ask: Ask<Given, Answer>,
): Ask<Given, Answer> {
  const turns = new WeakMap<Queryable, Map<string, Promise<Answer>>>()
  return (database, given) => {
    const turn = turns.get(database) ?? new Map<string, Promise<Answer>>()
    turns.set(database, turn)
    const key = keyOf(given)
    const present = turn.get(key)
    if (present) return present
    const answer = endOfTurn().then(() => {
      turn.delete(key)
      return ask(database, given)
    })
    turn.set(key, answer)
    return answer
  }
}

/** The same for rows by their ids: all ids of a turn are asked for together, and each gets the rows of its own. */
export function rowsInTurn<Row extends { id: string }>(
  ask: Ask<readonly string[], Row[]>,
): Ask<readonly string[], Row[]> {
  const turns = new WeakMap<Queryable, { ids: Set<string>; asked: number; rows: Promise<ReadonlyMap<string, Row>> }>()

  function begin(database: Queryable) {
    const ids = new Set<string>()
    const rows = endOfTurn().then(async () => {
      turns.delete(database)
      return new Map((await ask(database, [...ids])).map((row) => [row.id, row]))
    })
    const turn = { ids, asked: 0, rows }
    turns.set(database, turn)
    return turn
  }

  return async (database, ids) => {
    const turn = turns.get(database) ?? begin(database)
    turn.asked += 1
    for (const id of ids) turn.ids.add(id)
    try {
      const rows = await turn.rows
      return ids.flatMap((id) => rows.get(id) ?? [])
    } catch (error) {
      // What one of them asked for may have failed for all.
      if (turn.asked === 1) throw error
      return ask(database, ids)
    }
  }
}

/** After everything that is ready to be read now. */
const endOfTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

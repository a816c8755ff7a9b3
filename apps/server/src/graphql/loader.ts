import DataLoader from 'dataloader'
import type { GraphqlContext } from './graphqlContext.ts'

/** Something that many objects of an answer need, asked for once for all of them. */
export type Loader<Key, Value> = (context: GraphqlContext) => DataLoader<Key, Value>

/**
 * Defines a loader beside the resolvers that use it. Each request has its own, so that nobody is given what was loaded for someone
 * else. `batch` answers in the order of its keys.
 */
export function defineLoader<Key, Value>(
  batch: (context: GraphqlContext, keys: readonly Key[]) => Promise<readonly (Value | Error)[]>,
): Loader<Key, Value> {
  const loaders = new WeakMap<GraphqlContext, DataLoader<Key, Value>>()
  return (context) => {
    const present = loaders.get(context)
    if (present) return present
    const loader = new DataLoader<Key, Value>((keys) => batch(context, keys))
    loaders.set(context, loader)
    return loader
  }
}

/** A loader of rows by their id; null where there is none. */
export function defineRowLoader<Row extends { id: string }>(
  find: (context: GraphqlContext, ids: readonly string[]) => Promise<Row[]>,
): Loader<string, Row | null> {
  return defineLoader(async (context, ids) => {
    const found = new Map((await find(context, ids)).map((row) => [row.id, row]))
    return ids.map((id) => found.get(id) ?? null)
  })
}

/** A loader of lists by a key that the rows carry; empty where there are none. */
export function defineListLoader<Row>(
  find: (context: GraphqlContext, keys: readonly string[]) => Promise<Row[]>,
  keyOf: (row: Row) => string,
): Loader<string, Row[]> {
  return defineLoader(async (context, keys) => {
    const lists = new Map<string, Row[]>(keys.map((key) => [key, []]))
    for (const row of await find(context, keys)) lists.get(keyOf(row))?.push(row)
    return keys.map((key) => lists.get(key) ?? [])
  })
}

/** A loader of numbers by key; 0 where there is none. */
export function defineCountLoader(
  find: (context: GraphqlContext, keys: readonly string[]) => Promise<ReadonlyMap<string, number>>,
): Loader<string, number> {
  return defineLoader(async (context, keys) => {
    const found = await find(context, keys)
    return keys.map((key) => found.get(key) ?? 0)
  })
}

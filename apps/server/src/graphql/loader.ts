import DataLoader from 'dataloader'
import type { GraphqlContext } from './graphqlContext.ts'

/** Something that many objects of an answer need, asked for once for all of them. */
export type Loader<Key, Value> = (context: GraphqlContext) => DataLoader<Key, Value>

/** Answers equal keys with one promise. DataLoader makes one for each, and a list has fifty entries of the same author. */
class SharingLoader<Key, Value> extends DataLoader<Key, Value> {
  readonly #asked = new Map<Key, Promise<Value>>()

  override load(key: Key): Promise<Value> {
    const present = this.#asked.get(key)
    if (present) return present
    const answer = super.load(key)
    this.#asked.set(key, answer)
    return answer
  }
}

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
    const loader = new SharingLoader<Key, Value>((keys) => batch(context, keys))
    loaders.set(context, loader)
    return loader
  }
}

/** A loader for a field with arguments: what is asked with the same ones is asked for together. */
export function defineLoaderWith<Args, Value>(
  batch: (context: GraphqlContext, keys: readonly string[], args: Args) => Promise<readonly (Value | Error)[]>,
): (context: GraphqlContext, args: Args) => DataLoader<string, Value> {
  const loaders = new WeakMap<GraphqlContext, Map<string, DataLoader<string, Value>>>()
  return (context, args) => {
    const present = loaders.get(context) ?? new Map<string, DataLoader<string, Value>>()
    loaders.set(context, present)
    const text = JSON.stringify(args)
    const loader = present.get(text) ?? new SharingLoader<string, Value>((keys) => batch(context, keys, args))
    present.set(text, loader)
    return loader
  }
}

/** The rows of each key, in the order of the keys. */
export function groupedBy<Row>(rows: readonly Row[], keys: readonly string[], keyOf: (row: Row) => string): Row[][] {
  const lists = new Map<string, Row[]>(keys.map((key) => [key, []]))
  for (const row of rows) lists.get(keyOf(row))?.push(row)
  return keys.map((key) => lists.get(key) ?? [])
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
  return defineLoader(async (context, keys) => groupedBy(await find(context, keys), keys, keyOf))
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

import { z } from 'zod'

/** Values as JSON one behind the other, and where each of them ends: one is read without the others. */
export interface EncodedRows {
  names: Buffer
  values: Buffer
}

const namesSchema = z.object({ names: z.array(z.string()), ends: z.array(z.number()) })

export function encodeRows(entries: Iterable<readonly [name: string, value: unknown]>): EncodedRows {
  const names: string[] = []
  const ends: number[] = []
  const values: Buffer[] = []
  let end = 0
  for (const [name, value] of entries) {
    const encoded = Buffer.from(JSON.stringify(value))
    end += encoded.length
    names.push(name)
    ends.push(end)
    values.push(encoded)
  }
  return { names: Buffer.from(JSON.stringify({ names, ends })), values: Buffer.concat(values) }
}

/** Rows as they were encoded. A value is only read when it is asked for. */
export class MetadataRows {
  /** In the order in which they were given. */
  readonly names: readonly string[]
  readonly #places: ReadonlyMap<string, number>
  readonly #ends: readonly number[]
  readonly #values: Buffer

  constructor({ names: encoded, values }: EncodedRows) {
    const { names, ends } = namesSchema.parse(JSON.parse(encoded.toString()))
    this.names = names
    this.#ends = ends
    this.#places = new Map(names.map((name, place) => [name, place]))
    this.#values = values
  }

  has(name: string): boolean {
    return this.#places.has(name)
  }

  get(name: string): unknown {
    const place = this.#places.get(name)
    if (place === undefined) return undefined
    const start = place === 0 ? 0 : this.#ends[place - 1]
    return JSON.parse(this.#values.toString('utf8', start, this.#ends[place]))
  }
}

import * as z from 'zod'

const cache = new WeakMap<z.ZodType, z.ZodType>()

/**
 * The same schema, but an absent optional member may also be nil: encoders write `undefined` as nil, so on the wire the two
 * are one thing. Members that are nullable keep their null.
 */
export function nilTolerant<S extends z.ZodType>(schema: S): z.ZodType<z.output<S>> {
  let tolerant = cache.get(schema)
  if (!tolerant) {
    tolerant = build(schema)
    cache.set(schema, tolerant)
  }
  return tolerant as z.ZodType<z.output<S>>
}

function build(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const shape = Object.entries(schema.shape as Record<string, z.ZodType>)
    return z.object(Object.fromEntries(shape.map(([key, member]) => [key, nilTolerant(member)])))
  }
  if (schema instanceof z.ZodArray) return z.array(nilTolerant(schema.element as z.ZodType))
  if (schema instanceof z.ZodRecord) return z.record(z.string(), nilTolerant(schema.valueType as z.ZodType))
  if (schema instanceof z.ZodUnion) {
    return z.union((schema.options as z.ZodType[]).map((option) => nilTolerant(option)))
  }
  if (schema instanceof z.ZodNullable) return nilTolerant(schema.unwrap() as z.ZodType).nullable()
  if (schema instanceof z.ZodOptional) {
    const inner = nilTolerant(schema.unwrap() as z.ZodType)
    return inner.nullish().transform((value) => value ?? undefined)
  }
  return schema
}

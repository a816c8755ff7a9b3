import { ApiError } from '@boxyard/api'
import type { FieldErrors } from '@boxyard/api'
import type { z } from 'zod'

/** Checks the arguments of a resolver as routes check their bodies: types alone say nothing about lengths and contents. */
export function validInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const fields: Record<string, string[]> = Object.create(null) as Record<string, string[]>
  for (const { path, message } of result.error.issues) (fields[path.join('.') || 'detail'] ??= []).push(message)
  throw new ApiError('INVALID_INPUT', { fields: fields satisfies FieldErrors, detail: describe(fields) })
}

/** Clients of the query API show the message alone, so it says what is wrong. */
function describe(fields: FieldErrors): string {
  return Object.entries(fields)
    .map(([name, texts]) => (name === 'detail' ? texts.join(' ') : `${name}: ${texts.join(' ')}`))
    .join(' ')
}

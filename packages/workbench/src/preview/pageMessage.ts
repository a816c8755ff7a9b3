import { consoleLevels, limits } from '@boxyard/browser-backend/agent-messages'
import type { ConsoleValue, FromAgent } from '@boxyard/browser-backend/agent-messages'
import { isWithin } from '@boxyard/browser-backend/is-within'
import { z } from 'zod'

// What comes from a page is hostile: only what has exactly this form is taken, and every text, list and depth in it has an end.

const text = z.string().max(limits.text)
const place = z.int().min(1)
const count = z.int().min(0).max(1_000_000_000)
const leaf = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text }),
  z.strictObject({ kind: z.literal('plain'), text }),
])

/** Built down to the depth instead of recursive, so that a deep value can't exhaust the stack. */
function consoleValue(depth: number): z.ZodType<ConsoleValue> {
  const inner = depth === 0 ? leaf : consoleValue(depth - 1)
  const members = z
    .array(z.tuple([text, inner]))
    .max(depth === 0 ? 0 : limits.members)
    .readonly()
  return z.union([leaf, z.strictObject({ kind: z.literal('object'), name: text, members, more: z.int().min(0) })])
}

const frame = z.strictObject({
  name: text,
  file: z.string().startsWith('/').max(limits.path).nullable(),
  line: place,
  column: place,
})

const message: z.ZodType<FromAgent> = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('hello') }),
  z.strictObject({
    type: z.literal('address'),
    path: z.string().startsWith('/').max(limits.path),
    canGoBack: z.boolean(),
    canGoForward: z.boolean(),
  }),
  z.strictObject({
    type: z.literal('console'),
    level: z.enum(consoleLevels),
    values: z.array(consoleValue(limits.depth)).max(limits.values),
  }),
  z.strictObject({
    type: z.literal('left out'),
    lines: z.strictObject({ debug: count, log: count, info: count, warn: count, error: count }),
  }),
  z.strictObject({ type: z.literal('clear') }),
  z.strictObject({
    type: z.literal('problem'),
    problem: z.strictObject({
      message: text,
      detail: text.nullable(),
      frames: z.array(frame).max(limits.frames),
      cause: z.enum(['compiling', 'running']),
      isShown: z.boolean(),
    }),
  }),
  z.strictObject({ type: z.literal('solved') }),
])

const envelope = z.strictObject({ boxyard: z.literal('preview'), message })

/** The message in what a window was sent, when it comes from `origin` and has the form that was agreed. */
export function pageMessage(event: { data: unknown; origin: string }, origin: string): FromAgent | undefined {
  if (event.origin !== origin || !isWithin(event.data, limits.message)) return undefined
  const parsed = envelope.safeParse(event.data)
  return parsed.success ? parsed.data.message : undefined
}

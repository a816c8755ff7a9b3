// What pages of a preview say. Code of strangers runs there and may say anything, so it is taken by this schema alone.
import * as z from 'zod/mini'
import { consoleLevels, limits } from './agentMessages.ts'
import { isWithin } from './isWithin.ts'
import { isAddressPath } from './messages.ts'
import type { FromRunner } from './messages.ts'

/** Characters of a message. A file that was compiled may be a large one, with its source map. */
const MOST = 50_000
const MOST_COMPILED = 64_000_000

const text = z.string().check(z.maxLength(limits.text))
const path = z.string().check(z.maxLength(limits.path), z.startsWith('/'))
const place = z.int().check(z.gte(0))
const id = z.int()
const large = z.string()

/** A file of the project, by a path that does not lead out of it. */
const filePath = path.check(z.refine((value) => !/(?:^|[/\\])\.\.(?:[/\\]|$)|\0/.test(value)))

const problem = z.object({
  message: text,
  file: z.nullable(path),
  line: z.nullable(place),
  column: z.nullable(place),
  frame: z.nullable(text),
})
const fromRunnerSchema: z.ZodMiniType<FromRunner> = z.union([
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('start') }),
    z.object({ type: z.literal('console'), level: z.enum(consoleLevels), text }),
    z.object({ type: z.literal('problem'), problem }),
    z.object({ type: z.literal('rendered') }),
    z.object({ type: z.literal('address'), path: z.string().check(z.refine(isAddressPath)) }),
    z.object({ type: z.literal('open'), file: filePath, line: place, column: place }),
  ]),
  z.object({ type: z.literal('compiled'), id, problem }),
  z.object({
    type: z.literal('compiled'),
    id,
    script: large,
    css: large,
    map: z.optional(large),
    includes: z.optional(z.array(path).check(z.maxLength(10_000))),
  }),
])

/** The message in what a page sent, when it has the form and the size that were agreed. */
export function fromRunner(data: unknown): FromRunner | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const isCompiled = 'type' in data && data.type === 'compiled'
  if (!isWithin(data, isCompiled ? MOST_COMPILED : MOST)) return undefined
  const parsed = fromRunnerSchema.safeParse(data)
  return parsed.success ? parsed.data : undefined
}

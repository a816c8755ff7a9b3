import { z } from 'zod'
import { GitHostError } from './errors.ts'
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from './password.ts'

/** GitHub's rule for user names: letters, digits and single dashes inside, at most 39. */
export const loginPattern = /^[A-Za-z0-9](?:[A-Za-z0-9]|-(?=[A-Za-z0-9])){0,38}$/

export const joinFields = z.object({
  login: z.string().trim().regex(loginPattern, 'Use letters, digits and single dashes inside, at most 39.'),
  name: z
    .string()
    .trim()
    .max(100, 'At most 100 characters.')
    .transform((name) => (name === '' ? null : name)),
  email: z.email('This is not an email address.').max(200),
  password: z
    .string()
    .min(SHORTEST_PASSWORD, `At least ${SHORTEST_PASSWORD} characters.`)
    .max(LONGEST_PASSWORD, `At most ${LONGEST_PASSWORD} characters.`),
  invitation: z.string().max(100).default(''),
})

export const linkFields = z.object({ email: z.email('This is not an email address.').max(200) })

export const signInFields = z.object({
  login: z.string().trim().min(1).max(200),
  password: z.string().min(1).max(1000),
})

/** Checks a form; the error names each wrong field in words. */
export function parseFields<T>(schema: z.ZodType<T>, form: Readonly<Record<string, string>>): T {
  const parsed = schema.safeParse(form)
  if (parsed.success) return parsed.data
  const fields = Object.fromEntries(parsed.error.issues.map(({ path, message }) => [String(path[0]), message]))
  throw new GitHostError('INVALID_FIELDS', fields)
}

import { usernameSchema } from '@boxyard/api'

/** What is wrong with a user name, in words, or null. */
export function usernameProblem(username: string): string | null {
  const parsed = usernameSchema.safeParse(username)
  return parsed.success ? null : (parsed.error.issues[0]?.message ?? 'Choose another name.')
}

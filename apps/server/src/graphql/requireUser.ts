import { ApiError } from '@boxyard/api'
import type { User } from '../accounts/users.ts'
import type { GraphqlContext } from './graphqlContext.ts'

/** Who asks; throws UNAUTHENTICATED for a visitor. */
export function requireUser({ user }: GraphqlContext): User {
  if (!user) throw new ApiError('UNAUTHENTICATED')
  return user
}

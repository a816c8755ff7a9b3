import type { Builder } from '../graphql/builder.ts'
import type { users } from '../database/schema.ts'

export type ProviderNameValue = 'apple' | 'github' | 'google'
export type UserRow = typeof users.$inferSelect
export type CurrentUserRow = typeof users.$inferSelect
export interface GithubProfileShape {
  avatarUrl: string
  id: string
  login: string
  name: string | null
  scopes: string[]
}

/** The types of this domain, so that others can refer to them before they have fields. */
export function accountsTypes(builder: Builder) {
  const providerName = builder.enumType('ProviderName', {
    values: { APPLE: { value: 'apple' }, GITHUB: { value: 'github' }, GOOGLE: { value: 'google' } } satisfies Record<
      string,
      { value: ProviderNameValue }
    >,
  })
  const user = builder.objectRef<UserRow>('User')
  const currentUser = builder.objectRef<CurrentUserRow>('CurrentUser')
  const githubProfile = builder.objectRef<GithubProfileShape>('GithubProfile')
  return { providerName, user, currentUser, githubProfile }
}

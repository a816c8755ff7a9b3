import type { CurrentUserAnswer } from '@boxyard/api'
import type { Identity, User } from './users.ts'

/** The signed-in person as clients read it. There are no badges, experiments or survey here, so those members are empty. */
export function presentCurrentUser(user: User, identities: readonly Identity[]): CurrentUserAnswer {
  const identity = identities.find(({ provider }) => provider === 'github')
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    username: user.username,
    avatar_url: user.avatarUrl,
    role: user.role,
    subscription: null,
    experiments: {},
    metadata: user.metadata,
    curator_at: null,
    badges: [],
    beta_access: false,
    provider: identities[0]?.provider ?? 'github',
    integrations: { zeit: null, github: identity ? { email: user.email } : null },
    send_survey: false,
    deletion_requested: user.deletionRequested,
    inserted_at: user.insertedAt.toISOString(),
    github_profile: identity
      ? {
          data: {
            avatar_url: identity.avatarUrl,
            id: identity.subject,
            login: identity.login,
            name: identity.name,
            scopes: identity.scopes,
          },
          error: null,
        }
      : { data: null, error: { code: 'NOT_LINKED', message: 'No account at a git host is linked' } },
  }
}

import type { CurrentUserAnswer } from '@boxyard/api'
import type { ProSubscriptionRow } from '../billing/graphqlTypes.ts'
import type { Badge } from '../flags/flags.ts'
import type { GitCredential } from '../repositories/gitCredentials.ts'
import type { Identity, User } from './users.ts'

/** Whoever is here so long has an opinion to ask for. */
const SURVEY_AFTER_MS = 14 * 86_400_000

export interface UserSurroundings {
  identities: readonly Identity[]
  badges: readonly Badge[]
  /** What they allowed at the git host, if they did. */
  credential: GitCredential | null
  zeit: { email: string | null; token: string } | null
  /** Of their personal workspace. */
  subscription: ProSubscriptionRow | null
  now: Date
}

/** The signed-in person as clients read it. */
export function presentCurrentUser(user: User, around: UserSurroundings): CurrentUserAnswer {
  const { identities, badges, credential, zeit, subscription, now } = around
  const identity = identities.find(({ provider }) => provider === 'github')
  const isOld = now.getTime() - user.insertedAt.getTime() >= SURVEY_AFTER_MS
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    username: user.username,
    avatar_url: user.avatarUrl,
    role: user.role,
    subscription: subscription && {
      since: subscription.insertedAt.toISOString(),
      amount: subscription.unitPrice,
      cancel_at_period_end: subscription.cancelAtPeriodEnd,
      plan: subscription.origin === 'patron' ? 'patron' : 'pro',
      duration: subscription.billingInterval,
    },
    experiments: user.experiments,
    metadata: user.metadata,
    curator_at: user.curatorAt?.toISOString() ?? null,
    badges: badges.map(({ id, name, visible }) => ({ id, name, visible })),
    beta_access: user.betaAccess,
    provider: identities[0]?.provider ?? 'github',
    integrations: { zeit, github: identity || credential ? { email: user.email } : null },
    send_survey: isOld && user.surveySeenAt === null,
    deletion_requested: user.deletionRequested,
    inserted_at: user.insertedAt.toISOString(),
    github_profile: identity
      ? {
          data: {
            avatar_url: identity.avatarUrl,
            id: identity.subject,
            login: identity.login,
            name: identity.name,
            // What was allowed later counts beside what the sign-in asked for.
            scopes: [...new Set([...identity.scopes, ...(credential?.scopes ?? [])])],
          },
          error: null,
        }
      : { data: null, error: { code: 'NOT_LINKED', message: 'No account at a git host is linked' } },
  }
}

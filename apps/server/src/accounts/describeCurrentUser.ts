import type { CurrentUserAnswer } from '@boxyard/api'
import { subscriptionsOf } from '../billing/subscriptions.ts'
import type { ServerContext } from '../context.ts'
import { badgesOf } from '../flags/flags.ts'
import { findIntegration, openIntegration } from '../integrations/integrations.ts'
import { findCredential } from '../repositories/gitCredentials.ts'
import { personalTeamId } from '../workspaces/teams.ts'
import { presentCurrentUser } from './presentUser.ts'
import { findIdentities } from './users.ts'
import type { User } from './users.ts'

/** The signed-in person with everything that clients read about them. */
export async function describeCurrentUser(
  { database, sealer }: Pick<ServerContext, 'database' | 'sealer'>,
  user: User,
): Promise<CurrentUserAnswer> {
  const [identities, badges, credential, zeit, [subscription]] = await Promise.all([
    findIdentities(database, user.id),
    badgesOf(database, [user.id]),
    findCredential(database, user.id),
    findIntegration(database, user.id, 'zeit'),
    personalTeamId(database, user.id).then((teamId) =>
      subscriptionsOf(database, [teamId], { includeCancelled: false }),
    ),
  ])
  return presentCurrentUser(user, {
    identities,
    badges: badges.get(user.id) ?? [],
    credential,
    zeit: zeit && { email: zeit.email, token: openIntegration(sealer, zeit) },
    subscription: subscription ?? null,
    now: new Date(),
  })
}

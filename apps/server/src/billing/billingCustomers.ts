import { eq } from 'drizzle-orm'
import type { User } from '../accounts/users.ts'
import type { Queryable } from '../database/database.ts'
import { billingCustomers } from '../database/schema.ts'
import type { Team } from '../workspaces/teams.ts'
import type { StripePayments } from './stripePayments.ts'

/** Who a workspace is at Stripe, or null while it is nobody there. */
export async function findCustomer(database: Queryable, teamId: string): Promise<string | null> {
  const [row] = await database.select().from(billingCustomers).where(eq(billingCustomers.teamId, teamId))
  return row?.reference ?? null
}

/** The same; whoever is nobody there yet is made known. */
export async function ensureCustomer(
  database: Queryable,
  payments: StripePayments,
  team: Pick<Team, 'id' | 'name'>,
  user: Pick<User, 'email'>,
): Promise<string> {
  const known = await findCustomer(database, team.id)
  if (known !== null) return known
  const reference = await payments.createCustomer(team.id, { email: user.email, name: team.name })
  await database.insert(billingCustomers).values({ teamId: team.id, reference }).onConflictDoNothing()
  return (await findCustomer(database, team.id)) ?? reference
}

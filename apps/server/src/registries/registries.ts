import { eq, inArray } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { User } from '../accounts/users.ts'
import type { Queryable } from '../database/database.ts'
import { privateRegistries } from '../database/schema.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import type { Sealer } from '../tokens/sealer.ts'
import { authorizeTeam } from '../workspaces/authorizeTeam.ts'
import type { PrivateRegistryRow } from './graphqlTypes.ts'

const scopePattern = /^@[a-z0-9][a-z0-9._-]*$/i
const domainPattern = /^(?:\*\.)?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i

export const registrySchema = z
  .object({
    authType: z.enum(['basic', 'bearer']).nullish(),
    enabledScopes: z.array(z.string().max(214).regex(scopePattern, 'A scope looks like @company.')).max(100),
    limitToScopes: z.boolean(),
    proxyEnabled: z.boolean(),
    registryAuthKey: z.string().max(4000, 'At most 4000 characters.').nullish(),
    registryType: z.enum(['custom', 'github', 'npm']),
    registryUrl: z
      .url({ protocol: /^https?$/, error: 'This is no http or https address.' })
      .max(1000)
      .nullish(),
    sandpackTrustedDomains: z.array(z.string().max(253).regex(domainPattern, 'This is no domain.')).max(100).nullish(),
  })
  .refine(({ registryType, registryUrl }) => registryType !== 'custom' || registryUrl != null, {
    path: ['registryUrl'],
    message: 'A registry of your own needs an address.',
  })
  .refine(
    ({ registryUrl }) => registryUrl == null || !URL.canParse(registryUrl) || new URL(registryUrl).username === '',
    {
      path: ['registryUrl'],
      message: 'The address must not hold a password. Use the key.',
    },
  )
export type RegistrySettings = z.infer<typeof registrySchema>

export async function findRegistries(database: Queryable, teamIds: readonly string[]): Promise<PrivateRegistryRow[]> {
  return database
    .select()
    .from(privateRegistries)
    .where(inArray(privateRegistries.teamId, [...teamIds]))
}

/** Sets where the private packages of a workspace come from. Without a key the one that is there stays. */
export async function setRegistry(
  work: Work,
  sealer: Sealer,
  user: User,
  teamId: string,
  settings: RegistrySettings,
): Promise<PrivateRegistryRow> {
  await authorizeTeam(work.tx, teamId, user, 'changeRegistry', { lock: true })
  const { registryAuthKey, registryType, registryUrl, sandpackTrustedDomains, authType, ...rest } = settings
  const [before] = await findRegistries(work.tx, [teamId])
  // Without an address it is the usual one of its type.
  const url = registryUrl ?? null
  // A key is for the registry it was given for; another address must not get it.
  const keptKey =
    before && before.registryUrl === url && before.registryType === registryType ? before.sealedAuthKey : null
  const values = {
    ...rest,
    registryType,
    registryUrl: url,
    authType: authType ?? before?.authType ?? null,
    sealedAuthKey:
      registryAuthKey == null || registryAuthKey === '' ? keptKey : sealer.seal(registryAuthKey, purpose(teamId)),
    sandpackTrustedDomains: sandpackTrustedDomains ?? before?.sandpackTrustedDomains ?? [],
  }
  const [row] = await work.tx
    .insert(privateRegistries)
    .values({ id: randomUUID(), teamId, ...values })
    .onConflictDoUpdate({ target: privateRegistries.teamId, set: { ...values, updatedAt: new Date() } })
    .returning()
  await work.audit('registry.changed', { teamId, detail: { registryType, registryUrl: url } })
  return row!
}

export async function removeRegistry(work: Work, user: User, teamId: string): Promise<PrivateRegistryRow | null> {
  await authorizeTeam(work.tx, teamId, user, 'changeRegistry', { lock: true })
  const [removed] = await work.tx.delete(privateRegistries).where(eq(privateRegistries.teamId, teamId)).returning()
  if (removed) await work.audit('registry.removed', { teamId })
  return removed ?? null
}

/** The key of a registry in plain, for whoever may change it. */
export function openKey(sealer: Sealer, { sealedAuthKey, teamId }: PrivateRegistryRow): string | null {
  return sealedAuthKey === null ? null : sealer.open(sealedAuthKey, purpose(teamId))
}

const purpose = (teamId: string) => `registry:${teamId}`

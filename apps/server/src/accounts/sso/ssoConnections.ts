import { ApiError } from '@boxyard/api'
import { and, eq, isNotNull } from 'drizzle-orm'
import { randomBytes, randomUUID } from 'node:crypto'
import { sqlState, UNIQUE_VIOLATION } from '../../database/database.ts'
import type { Queryable } from '../../database/database.ts'
import { ssoConnections, ssoDomains } from '../../database/schema.ts'
import type { Work } from '../../outbox/unitOfWork.ts'
import type { Sealer } from '../../tokens/sealer.ts'
import type { SsoSettings } from '@boxyard/api'

export type SsoConnection = typeof ssoConnections.$inferSelect
export type SsoDomain = typeof ssoDomains.$inferSelect

/** Reads the TXT records of a name. */
export type ResolveTxt = (name: string) => Promise<string[][]>

const PROOF_PREFIX = 'boxyard-domain-verification='

export const proofName = ({ domain }: Pick<SsoDomain, 'domain'>) => `_boxyard.${domain}`
export const proofValue = ({ proof }: Pick<SsoDomain, 'proof'>) => `${PROOF_PREFIX}${proof}`
const secretPurpose = (connectionId: string) => `sso:${connectionId}`

export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase()
}

export async function findConnection(database: Queryable, id: string): Promise<SsoConnection | null> {
  const [connection] = await database.select().from(ssoConnections).where(eq(ssoConnections.id, id))
  return connection ?? null
}

export async function findConnectionOfTeam(database: Queryable, teamId: string): Promise<SsoConnection | null> {
  const [connection] = await database.select().from(ssoConnections).where(eq(ssoConnections.teamId, teamId))
  return connection ?? null
}

/** How people with an address of this domain sign in, when a workspace proved that the domain is its own. */
export async function findConnectionOfDomain(database: Queryable, domain: string): Promise<SsoConnection | null> {
  const [row] = await database
    .select({ connection: ssoConnections })
    .from(ssoDomains)
    .innerJoin(ssoConnections, eq(ssoConnections.teamId, ssoDomains.teamId))
    .where(and(eq(ssoDomains.domain, domain), isNotNull(ssoDomains.verifiedAt)))
  return row?.connection ?? null
}

/** Whether anyone can sign in by single sign-on. */
export async function hasWorkingConnection(database: Queryable): Promise<boolean> {
  const found = await database
    .select({ id: ssoConnections.id })
    .from(ssoConnections)
    .innerJoin(ssoDomains, eq(ssoDomains.teamId, ssoConnections.teamId))
    .where(isNotNull(ssoDomains.verifiedAt))
    .limit(1)
  return found.length > 0
}

/** Who speaks. As long as it is the same, the people it names are the same. */
function authorityOf(settings: SsoSettings): string {
  switch (settings.kind) {
    case 'oidc':
      return `oidc ${settings.issuer}`
    case 'saml':
      return `saml ${settings.entity_id}`
    case 'workos':
      return `workos ${settings.organization}`
  }
}

/**
 * Sets up or changes the single sign-on of a workspace. Another identity provider makes another connection, so that nobody gets into
 * an account because two providers use the same name for two people. Without a new secret the present one stays.
 */
export async function saveConnection(
  { tx, audit }: Work,
  sealer: Sealer,
  teamId: string,
  wanted: { settings: SsoSettings; clientSecret: string | undefined; enforced: boolean },
): Promise<SsoConnection> {
  const [present] = await tx.select().from(ssoConnections).where(eq(ssoConnections.teamId, teamId)).for('update')
  const { settings, clientSecret, enforced } = wanted
  if (enforced && !(await hasVerifiedDomain(tx, teamId))) {
    throw new ApiError('INVALID_INPUT', { fields: { enforced: ['Verify a domain first.'] } })
  }
  const same = present && authorityOf(present.settings) === authorityOf(settings)
  const id = same ? present.id : randomUUID()
  const sealed = clientSecret === undefined ? undefined : sealer.seal(clientSecret, secretPurpose(id))
  const sealedSecret = sealed ?? (same ? present.sealedSecret : null)
  if (settings.kind === 'oidc' && sealedSecret === null) {
    throw new ApiError('INVALID_INPUT', { fields: { client_secret: ['Give the secret of the client.'] } })
  }
  if (present && !same) await tx.delete(ssoConnections).where(eq(ssoConnections.id, present.id))
  const values = { settings, sealedSecret, enforced, updatedAt: new Date() }
  const [saved] = await tx
    .insert(ssoConnections)
    .values({ id, teamId, ...values })
    .onConflictDoUpdate({ target: ssoConnections.id, set: values })
    .returning()
  await audit('sso.changed', { teamId, detail: { kind: settings.kind, enforced } })
  return saved!
}

export function clientSecretOf(connection: SsoConnection, sealer: Sealer): string {
  return connection.sealedSecret === null ? '' : sealer.open(connection.sealedSecret, secretPurpose(connection.id))
}

export async function removeConnection({ tx, audit }: Work, teamId: string): Promise<void> {
  await tx.delete(ssoConnections).where(eq(ssoConnections.teamId, teamId))
  await audit('sso.removed', { teamId })
}

export function listDomains(database: Queryable, teamId: string): Promise<SsoDomain[]> {
  return database.select().from(ssoDomains).where(eq(ssoDomains.teamId, teamId)).orderBy(ssoDomains.domain)
}

async function hasVerifiedDomain(database: Queryable, teamId: string): Promise<boolean> {
  return (await listDomains(database, teamId)).some(({ verifiedAt }) => verifiedAt !== null)
}

/** Whether this workspace proved that the domain of this address is its own. */
export async function ownsDomainOf(database: Queryable, teamId: string, email: string): Promise<boolean> {
  const domains = await listDomains(database, teamId)
  return domains.some(({ domain, verifiedAt }) => verifiedAt !== null && domain === domainOf(email))
}

export async function addDomain(database: Queryable, teamId: string, domain: string): Promise<SsoDomain> {
  const proof = randomBytes(20).toString('hex')
  const [added] = await database
    .insert(ssoDomains)
    .values({ id: randomUUID(), teamId, domain, proof })
    .onConflictDoUpdate({ target: [ssoDomains.teamId, ssoDomains.domain], set: { domain } })
    .returning()
  return added!
}

/** Removing the last verified domain also ends the rule that nobody with it may sign in otherwise. */
export async function removeDomain({ tx, audit }: Work, teamId: string, id: string): Promise<boolean> {
  const [removed] = await tx
    .delete(ssoDomains)
    .where(and(eq(ssoDomains.teamId, teamId), eq(ssoDomains.id, id)))
    .returning({ domain: ssoDomains.domain })
  if (!removed) return false
  if (!(await hasVerifiedDomain(tx, teamId))) {
    await tx.update(ssoConnections).set({ enforced: false }).where(eq(ssoConnections.teamId, teamId))
  }
  await audit('sso.domain_removed', { teamId, detail: removed })
  return true
}

/** Looks for the proof in the DNS. Whoever can write there owns the domain. */
export async function proveDomain(
  database: Queryable,
  resolveTxt: ResolveTxt,
  teamId: string,
  id: string,
): Promise<SsoDomain> {
  const [found] = await database
    .select()
    .from(ssoDomains)
    .where(and(eq(ssoDomains.teamId, teamId), eq(ssoDomains.id, id)))
  if (!found) throw new ApiError('NOT_FOUND')
  if (!(await recordsOf(found, resolveTxt)).includes(proofValue(found))) {
    throw new ApiError('DOMAIN_NOT_PROVEN', { detail: `${proofName(found)} has no such TXT record` })
  }
  return found
}

/** Makes a domain that was just proved count. */
export async function markVerified({ tx, audit }: Work, { id, teamId, domain }: SsoDomain): Promise<void> {
  try {
    await tx.update(ssoDomains).set({ verifiedAt: new Date() }).where(eq(ssoDomains.id, id))
  } catch (error) {
    if (sqlState(error) === UNIQUE_VIOLATION) throw new ApiError('DOMAIN_TAKEN', { cause: error })
    throw error
  }
  await audit('sso.domain_verified', { teamId, detail: { domain } })
}

/** A name without records and a name server that does not answer both prove nothing. */
async function recordsOf(domain: SsoDomain, resolveTxt: ResolveTxt): Promise<string[]> {
  try {
    return (await resolveTxt(proofName(domain))).map((pieces) => pieces.join(''))
  } catch (error) {
    throw new ApiError('DOMAIN_NOT_PROVEN', { detail: `${proofName(domain)} has no TXT record`, cause: error })
  }
}

import { ApiError } from '@boxyard/api'
import { and, count, eq } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Queryable } from '../database/database.ts'
import { branches, secrets } from '../database/schema.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import type { Sealer } from '../tokens/sealer.ts'

const MOST_SECRETS = 100
/** What a box is told by the platform, and what could keep its dev server from starting. */
const ofTheBox =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|TMPDIR|NODE_OPTIONS|LD_.*|BOXYARD_.*|HTTPS?_PROXY|NO_PROXY|NPM_CONFIG_(?:REGISTRY|PREFIX))$/i

export const secretSchema = z.object({
  name: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, 'Use letters, digits and underscores, no digit first, at most 100.')
    .refine((name) => !ofTheBox.test(name), { error: 'The box itself needs this variable. Choose another name.' }),
  value: z
    .string()
    .max(32_768, 'At most 32 KiB.')
    .refine((value) => !value.includes('\u0000'), { error: 'Leave out NUL characters.' }),
})
export type Secret = z.infer<typeof secretSchema>

/** What environment variables belong to. */
export type SecretOwner = { sandboxId: string } | { projectId: string }

const isOf = (owner: SecretOwner) =>
  'sandboxId' in owner ? eq(secrets.sandboxId, owner.sandboxId) : eq(secrets.projectId, owner.projectId)

const purpose = (owner: SecretOwner, name: string) =>
  'sandboxId' in owner ? `secret:sandbox:${owner.sandboxId}:${name}` : `secret:project:${owner.projectId}:${name}`

/** The environment variables of a sandbox or a repository, by name, opened. */
export async function secretsOf(
  database: Queryable,
  sealer: Sealer,
  owner: SecretOwner,
): Promise<Record<string, string>> {
  const rows = await database.select().from(secrets).where(isOf(owner)).orderBy(secrets.name)
  return Object.fromEntries(rows.map(({ name, sealedValue }) => [name, sealer.open(sealedValue, purpose(owner, name))]))
}

/**
 * The environment variables that a box begins its run with: those of its repository, then its own. The branch of a contributor gets none
 * of the repository's, for whoever has it may not see them.
 */
export async function secretsOfBox(
  database: Queryable,
  sealer: Sealer,
  boxId: string,
): Promise<Record<string, string>> {
  const [branch] = await database.select().from(branches).where(eq(branches.id, boxId))
  const ofRepository =
    branch && !branch.contribution ? await secretsOf(database, sealer, { projectId: branch.projectId }) : {}
  return { ...ofRepository, ...(await secretsOf(database, sealer, { sandboxId: boxId })) }
}

/** Sets one variable of a sandbox. The log says that it was set, never to what. The sandbox is locked. */
export async function setSecret(
  work: Work,
  sealer: Sealer,
  owner: { sandboxId: string },
  { name, value }: Secret,
): Promise<void> {
  const sealedValue = sealer.seal(value, purpose(owner, name))
  const changed = await work.tx
    .update(secrets)
    .set({ sealedValue, updatedAt: new Date() })
    .where(and(isOf(owner), eq(secrets.name, name)))
    .returning({ id: secrets.id })
  if (changed.length === 0) {
    const [row] = await work.tx.select({ total: count() }).from(secrets).where(isOf(owner))
    refuseTooMany(row!.total + 1)
    await work.tx.insert(secrets).values({ id: randomUUID(), ...owner, name, sealedValue, createdById: work.actorId })
  }
  await work.audit('secret.set', { ...owner, detail: { name } })
}

export async function removeSecret(work: Work, owner: { sandboxId: string }, name: string): Promise<void> {
  const removed = await work.tx
    .delete(secrets)
    .where(and(isOf(owner), eq(secrets.name, name)))
    .returning({ id: secrets.id })
  if (removed.length === 0) throw new ApiError('NOT_FOUND', { detail: 'There is no variable of this name' })
  await work.audit('secret.removed', { ...owner, detail: { name } })
}

/** Puts these in the place of the variables of a repository. The log says which names changed, never to what. The repository is locked. */
export async function replaceSecrets(
  work: Work,
  sealer: Sealer,
  { id: projectId, teamId }: { id: string; teamId: string | null },
  given: Readonly<Record<string, string>>,
): Promise<void> {
  const owner = { projectId }
  const entries = Object.entries(given)
  refuseTooMany(entries.length)
  const before = await secretsOf(work.tx, sealer, owner)
  await work.tx.delete(secrets).where(isOf(owner))
  if (entries.length > 0) {
    await work.tx.insert(secrets).values(
      entries.map(([name, value]) => ({
        id: randomUUID(),
        ...owner,
        name,
        sealedValue: sealer.seal(value, purpose(owner, name)),
        createdById: work.actorId,
      })),
    )
  }
  const set = entries.filter(([name, value]) => before[name] !== value).map(([name]) => name)
  const removed = Object.keys(before).filter((name) => !Object.hasOwn(given, name))
  if (set.length + removed.length > 0) {
    await work.audit('secrets.replaced', { teamId, detail: { projectId, set, removed } })
  }
}

function refuseTooMany(total: number): void {
  if (total <= MOST_SECRETS) return
  throw new ApiError('LIMIT_REACHED', { detail: `You reached the maximum of ${MOST_SECRETS} variables` })
}

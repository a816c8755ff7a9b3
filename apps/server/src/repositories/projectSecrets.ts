import { ApiError } from '@boxyard/api'
import { eq } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import type { Queryable } from '../database/database.ts'
import { secrets } from '../database/schema.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import { MOST_SECRETS } from '../sandboxes/secrets.ts'
import type { Sealer } from '../tokens/sealer.ts'

const purpose = (projectId: string, name: string) => `secret:project:${projectId}:${name}`

/** The environment variables of a repository, by name, opened. */
export async function projectSecrets(
  database: Queryable,
  sealer: Sealer,
  projectId: string,
): Promise<Record<string, string>> {
  const rows = await database.select().from(secrets).where(eq(secrets.projectId, projectId)).orderBy(secrets.name)
  return Object.fromEntries(
    rows.map(({ name, sealedValue }) => [name, sealer.open(sealedValue, purpose(projectId, name))]),
  )
}

/** Puts these in the place of those there are. The log says which names changed, never to what. */
export async function replaceProjectSecrets(
  work: Work,
  sealer: Sealer,
  { id: projectId, teamId }: { id: string; teamId: string | null },
  given: Readonly<Record<string, string>>,
): Promise<void> {
  const entries = Object.entries(given)
  if (entries.length > MOST_SECRETS) {
    throw new ApiError('LIMIT_REACHED', { detail: `You reached the maximum of ${MOST_SECRETS} variables` })
  }
  const before = await projectSecrets(work.tx, sealer, projectId)
  await work.tx.delete(secrets).where(eq(secrets.projectId, projectId))
  if (entries.length > 0) {
    await work.tx.insert(secrets).values(
      entries.map(([name, value]) => ({
        id: randomUUID(),
        projectId,
        name,
        sealedValue: sealer.seal(value, purpose(projectId, name)),
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

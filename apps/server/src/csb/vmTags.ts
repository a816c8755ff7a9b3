import { ApiError } from '@boxyard/api'
import { and, eq } from 'drizzle-orm'
import { randomInt, randomUUID } from 'node:crypto'
import type { Queryable } from '../database/database.ts'
import { vmAliases, vmTags } from '../database/schema.ts'

export type VmTag = typeof vmTags.$inferSelect

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const LENGTH = 22

/** Gives machines that were built to be forked a common name. */
export async function createVmTag(database: Queryable, teamId: string, sandboxIds: readonly string[]): Promise<VmTag> {
  const id = `pt_${Array.from({ length: LENGTH }, () => alphabet[randomInt(alphabet.length)]).join('')}`
  const [row] = await database
    .insert(vmTags)
    .values({ id, teamId, sandboxIds: [...sandboxIds] })
    .returning()
  return row!
}

export async function findVmTag(database: Queryable, id: string): Promise<VmTag | null> {
  const [row] = await database.select().from(vmTags).where(eq(vmTags.id, id))
  return row ?? null
}

/** Lets `namespace@alias` stand for a tag of the workspace from now on. A name of another workspace is refused. */
export async function nameVmTag(
  database: Queryable,
  teamId: string,
  name: { namespace: string; alias: string },
  tagId: string,
): Promise<typeof vmAliases.$inferSelect> {
  const tag = await findVmTag(database, tagId)
  if (tag?.teamId !== teamId) throw new ApiError('NOT_FOUND', { detail: 'This tag is not found' })
  const [row] = await database
    .insert(vmAliases)
    .values({ id: randomUUID(), ...name, tagId, teamId })
    .onConflictDoUpdate({
      target: [vmAliases.namespace, vmAliases.alias],
      set: { tagId, updatedAt: new Date() },
      setWhere: eq(vmAliases.teamId, teamId),
    })
    .returning()
  if (!row) throw new ApiError('FORBIDDEN', { detail: 'Another workspace uses this alias' })
  return row
}

/** Ids of the sandboxes behind a tag or a `namespace@alias`, or null for anything else. */
export async function sandboxesBehind(database: Queryable, reference: string): Promise<readonly string[] | null> {
  if (/^pt_\w+$/.test(reference)) return (await findVmTag(database, reference))?.sandboxIds ?? null
  const [, namespace, alias] = /^([^@]+)@([^@]+)$/.exec(reference) ?? []
  if (namespace === undefined || alias === undefined) return null
  const [row] = await database
    .select({ sandboxIds: vmTags.sandboxIds })
    .from(vmAliases)
    .innerJoin(vmTags, eq(vmTags.id, vmAliases.tagId))
    .where(and(eq(vmAliases.namespace, namespace), eq(vmAliases.alias, alias)))
  return row?.sandboxIds ?? null
}

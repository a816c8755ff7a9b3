import type { SdkSandboxSettings, VmStartBody } from '@boxyard/api'
import type { BoxChange } from '@boxyard/boxes'
import { and, arrayContains, asc, count, desc, eq, inArray, isNull } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Queryable } from '../database/database.ts'
import { sandboxes } from '../database/schema.ts'
import { EVERY_PORT, setPortVisibility } from '../hosts/portPolicies.ts'
import type { Privacy } from '../sandboxes/sandboxes.ts'
import { boxTier } from '../machines/boxTier.ts'
import type { Sandbox } from '../sandboxes/index.ts'

export function presentSdkSandbox(sandbox: Sandbox) {
  return {
    id: sandbox.id,
    title: sandbox.title,
    description: sandbox.description,
    privacy: sandbox.privacy as Privacy,
    tags: sandbox.tags,
    is_frozen: sandbox.isFrozen,
    settings: { use_pint: false as const },
    created_at: sandbox.insertedAt.toISOString(),
    updated_at: sandbox.updatedAt.toISOString(),
  }
}

/** What a start asks to be changed about the machine first. */
export function machineChange(body: VmStartBody): BoxChange {
  const wake = body.automatic_wakeup_config
  return {
    ...(body.tier ? { tier: boxTier(body.tier) } : {}),
    ...(body.hibernation_timeout_seconds ? { idleMs: body.hibernation_timeout_seconds * 1000 } : {}),
    ...(wake ? { wake: { http: wake.http ?? true, websocket: wake.websocket ?? false } } : {}),
  }
}

/** Notes what the creator of a sandbox said about it. */
export async function applySettings(
  database: Queryable,
  sandbox: Sandbox,
  { description, tags, is_frozen: isFrozen, private_preview: privatePreview }: SdkSandboxSettings,
): Promise<Sandbox> {
  const [changed] = await database
    .update(sandboxes)
    .set({
      description: description ?? undefined,
      tags: tags ?? undefined,
      isFrozen: isFrozen ?? undefined,
      updatedAt: new Date(),
    })
    .where(eq(sandboxes.id, sandbox.id))
    .returning()
  if (privatePreview === false) await setPortVisibility(database, sandbox.id, EVERY_PORT, 'public')
  return changed!
}

export interface SandboxListOptions {
  tags: readonly string[] | undefined
  orderBy: 'inserted_at' | 'updated_at'
  direction: 'asc' | 'desc'
  page: number
  pageSize: number
  /** Only these. */
  ids: readonly string[] | undefined
}

/** One page of the devboxes of a workspace, and how many there are. */
export async function listTeamSandboxes(
  database: Queryable,
  teamId: string,
  { tags, orderBy, direction, page, pageSize, ids }: SandboxListOptions,
): Promise<{ rows: Sandbox[]; total: number }> {
  const conditions: (SQL | undefined)[] = [
    eq(sandboxes.teamId, teamId),
    eq(sandboxes.isV2, true),
    isNull(sandboxes.removedAt),
    tags === undefined || tags.length === 0 ? undefined : arrayContains(sandboxes.tags, [...tags]),
    ids === undefined ? undefined : inArray(sandboxes.id, [...ids]),
  ]
  const order = direction === 'asc' ? asc : desc
  const column = orderBy === 'inserted_at' ? sandboxes.insertedAt : sandboxes.updatedAt
  const [total] = await database
    .select({ count: count() })
    .from(sandboxes)
    .where(and(...conditions))
  const rows = await database
    .select()
    .from(sandboxes)
    .where(and(...conditions))
    .orderBy(order(column), asc(sandboxes.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  return { rows, total: total?.count ?? 0 }
}

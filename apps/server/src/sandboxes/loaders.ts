import type { SandboxRole } from '@boxyard/api'
import { defineLoader, defineRowLoader } from '../graphql/loader.ts'
import { findSandboxes, lastAccesses, rolesIn } from './sandboxes.ts'
import type { Sandbox } from './sandboxes.ts'

/** What whoever asks is to a sandbox. */
export const sandboxRoleLoader = defineLoader<Sandbox, SandboxRole>(({ database, user }, sandboxes) =>
  rolesIn(database, sandboxes, user),
)

/** When whoever asks opened a sandbox last. */
export const lastAccessLoader = defineLoader<string, Date | null>(async ({ database, user }, ids) => {
  const found = user ? await lastAccesses(database, user.id, ids) : new Map<string, Date>()
  return ids.map((id) => found.get(id) ?? null)
})

/** Sandboxes that are not in the trash, whoever asks: for what is about one that they may see. */
export const sandboxLoader = defineRowLoader(({ database }, ids) => findSandboxes(database, ids))

import type { SandboxRole } from '@boxyard/api'
import { defineLoader } from '../graphql/loader.ts'
import { lastAccesses, rolesIn } from './sandboxes.ts'
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

import { ApiError } from '@boxyard/api'
import type { Database } from '../database/database.ts'
import { findTeams } from '../workspaces/teams.ts'
import type { Sandbox } from './sandboxes.ts'

/** Throws WORKSPACE_FORBIDS for a sandbox whose files may not be taken away. */
export async function requireExportable(database: Database, sandbox: Sandbox): Promise<void> {
  const [team] = await findTeams(database, [sandbox.teamId])
  if (!sandbox.preventSandboxExport && !team?.preventSandboxExport) return
  throw new ApiError('WORKSPACE_FORBIDS', { detail: 'The settings of its workspace do not let this sandbox out' })
}

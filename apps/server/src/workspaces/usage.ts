import { and, count, inArray, sql } from 'drizzle-orm'
import { usedCredits } from '../billing/activePlans.ts'
import type { Queryable } from '../database/database.ts'
import { teamMembers } from '../database/schema.ts'
import { projectCounts } from '../repositories/counts.ts'
import { filedCounts } from '../sandboxes/counts.ts'
import type { TeamUsageShape } from './graphqlTypes.ts'

export type TeamUsage = TeamUsageShape

/** What workspaces have and use at this moment. */
export async function teamUsages(
  database: Queryable,
  teamIds: readonly string[],
  now: Date,
): Promise<(teamId: string, includedSandboxes: number) => TeamUsage> {
  const [credits, editors, projects, sandboxes] = await Promise.all([
    usedCredits(database, teamIds, now),
    editorCounts(database, teamIds),
    projectCounts(database, teamIds),
    filedCounts(database, teamIds),
  ])
  return (teamId, included) => {
    const { filed, privateOnes, publicOnes } = sandboxes.get(teamId) ?? { filed: 0, privateOnes: 0, publicOnes: 0 }
    const project = projects.get(teamId) ?? { privateOnes: 0, publicOnes: 0 }
    const restricted = Math.max(0, filed - included)
    return {
      credits: credits.get(teamId) ?? 0,
      editorsQuantity: editors.get(teamId) ?? 0,
      privateProjectsQuantity: project.privateOnes,
      privateSandboxesQuantity: privateOnes,
      publicProjectsQuantity: project.publicOnes,
      publicSandboxesQuantity: publicOnes,
      restrictedSandboxes: restricted,
      sandboxes: filed,
      unrestrictedSandboxes: filed - restricted,
    }
  }
}

/** Members who may change something. */
async function editorCounts(database: Queryable, teamIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await database
    .select({ teamId: teamMembers.teamId, editors: count() })
    .from(teamMembers)
    .where(and(inArray(teamMembers.teamId, [...teamIds]), sql`${teamMembers.authorization} in ('admin', 'write')`))
    .groupBy(teamMembers.teamId)
  return new Map(rows.map(({ teamId, editors }) => [teamId, editors]))
}

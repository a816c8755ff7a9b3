import DataLoader from 'dataloader'
import type { SandboxRole } from '@boxyard/api'
import type { User } from '../accounts/users.ts'
import { findUsers } from '../accounts/users.ts'
import type { Database } from '../database/database.ts'
import { lastAccesses, rolesIn } from '../sandboxes/sandboxes.ts'
import type { Sandbox } from '../sandboxes/sandboxes.ts'
import type { TemplateCatalogue } from '../sandboxes/templates.ts'
import { findPersonalTeamIds, findTeams } from '../workspaces/teams.ts'
import type { Team } from '../workspaces/teams.ts'

/** What resolvers are given: who asks, and loaders that ask the database once for what many objects need. One per request. */
export interface GraphqlContext {
  database: Database
  templates: TemplateCatalogue
  user: User | null
  users: DataLoader<string, User | null>
  teams: DataLoader<string, Team | null>
  personalTeamIds: DataLoader<string, string>
  roles: DataLoader<Sandbox, SandboxRole>
  lastAccesses: DataLoader<string, Date | null>
}

export function createGraphqlContext(
  database: Database,
  templates: TemplateCatalogue,
  user: User | null,
): GraphqlContext {
  return {
    database,
    templates,
    user,
    users: byId((ids) => findUsers(database, ids)),
    teams: byId((ids) => findTeams(database, ids)),
    personalTeamIds: new DataLoader(async (userIds) => {
      const found = await findPersonalTeamIds(database, userIds)
      return userIds.map((id) => found.get(id) ?? new Error(`The user ${id} has no personal workspace`))
    }),
    roles: new DataLoader((sandboxes) => rolesIn(database, sandboxes, user)),
    lastAccesses: new DataLoader(async (ids) => {
      const found = user ? await lastAccesses(database, user.id, ids) : new Map<string, Date>()
      return ids.map((id) => found.get(id) ?? null)
    }),
  }
}

function byId<T extends { id: string }>(find: (ids: readonly string[]) => Promise<T[]>): DataLoader<string, T | null> {
  return new DataLoader(async (ids) => {
    const found = new Map((await find(ids)).map((row) => [row.id, row]))
    return ids.map((id) => found.get(id) ?? null)
  })
}

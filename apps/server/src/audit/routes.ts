import { dataOf, installationPolicies, installationRoleOf } from '@boxyard/api'
import { z } from 'zod'
import { userOf } from '../accounts/authentication.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { authorizeTeam } from '../workspaces/authorizeTeam.ts'
import { readAudit } from './auditEntries.ts'
import type { AuditEntry } from './auditEntries.ts'

const pageQuery = z.object({
  before: z.coerce.date().optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})
const entriesSchema = dataOf(
  z.array(
    z.object({
      id: z.string(),
      at: z.iso.datetime(),
      action: z.string(),
      actor_id: z.string().nullable(),
      team_id: z.string().nullable(),
      sandbox_id: z.string().nullable(),
      user_id: z.string().nullable(),
      detail: z.record(z.string(), z.unknown()),
    }),
  ),
)

/** The audit log of a workspace for its administrators, and of the installation for its own. */
export function registerAudit(app: App, { database }: ServerContext): void {
  const onRequest = app.authenticate.required

  app.get(
    '/api/v1/teams/:teamId/audit_log',
    {
      onRequest,
      schema: { params: z.object({ teamId: z.uuid() }), querystring: pageQuery, response: { 200: entriesSchema } },
    },
    async (request) => {
      const { teamId } = request.params
      await authorizeTeam(database, teamId, userOf(request), 'seeAudit')
      return { data: (await readAudit(database, { teamId, ...request.query })).map(present) }
    },
  )

  app.get(
    '/api/v1/admin/audit_log',
    { onRequest, schema: { querystring: pageQuery, response: { 200: entriesSchema } } },
    async (request) => {
      installationPolicies.authorize(installationRoleOf(userOf(request)), 'readAudit')
      return { data: (await readAudit(database, request.query)).map(present) }
    },
  )
}

function present({ id, at, action, actorId, teamId, sandboxId, userId, detail }: AuditEntry) {
  return {
    id,
    at: at.toISOString(),
    action,
    actor_id: actorId,
    team_id: teamId,
    sandbox_id: sandboxId,
    user_id: userId,
    detail,
  }
}

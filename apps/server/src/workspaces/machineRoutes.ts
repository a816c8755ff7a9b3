import { dataOf, machineDefaultsSchema } from '@boxyard/api'
import { z } from 'zod'
import { userOf } from '../accounts/authentication.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import { authorizeTeam } from './authorizeTeam.ts'
import { teamLimits } from './limits.ts'
import { changeMachineDefaults, machineDefaultsOf } from './machineDefaults.ts'
import type { MachineDefaults } from './machineDefaults.ts'

const params = z.object({ teamId: z.uuid() })
const answer = { 200: dataOf(machineDefaultsSchema.extend({ largest_vm_tier: z.int() })) }

/** What machines of a workspace are like where nothing else is chosen for one. */
export function registerWorkspaceMachines(app: App, { database }: ServerContext): void {
  const onRequest = app.authenticate.required
  const present = async (teamId: string, { vmTier, idleMinutes }: MachineDefaults) => ({
    data: {
      vm_tier: vmTier,
      idle_minutes: idleMinutes,
      largest_vm_tier: (await teamLimits(database, teamId)).includedVmTier,
    },
  })

  app.get('/api/v1/teams/:teamId/machines', { onRequest, schema: { params, response: answer } }, async (request) => {
    const { teamId } = request.params
    await authorizeTeam(database, teamId, userOf(request), 'see')
    return present(teamId, await machineDefaultsOf(database, teamId))
  })

  app.patch(
    '/api/v1/teams/:teamId/machines',
    { onRequest, schema: { params, body: machineDefaultsSchema.partial(), response: answer } },
    async (request) => {
      const { vm_tier: vmTier, idle_minutes: idleMinutes } = request.body
      const change = {
        ...(vmTier === undefined ? {} : { vmTier }),
        ...(idleMinutes === undefined ? {} : { idleMinutes }),
      }
      const changed = await inTransaction(database, userOf(request), async (work) => {
        const { team } = await authorizeTeam(work.tx, request.params.teamId, userOf(request), 'changeSettings', {
          lock: true,
        })
        return changeMachineDefaults(work, team, change)
      })
      return present(changed.id, changed)
    },
  )
}

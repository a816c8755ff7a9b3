import { ApiError, branchPolicies, machineTiers, tierNames, USUAL_TIER } from '@boxyard/api'
import { eq } from 'drizzle-orm'
import type { User } from '../accounts/users.ts'
import type { Database } from '../database/database.ts'
import { branches, projects } from '../database/schema.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import type { MachineDirectory } from '../sandboxes/machineDirectory.ts'
import { teamLimits } from '../workspaces/limits.ts'
import { branchesOf, findProject, projectRole } from './projects.ts'

/** What a machine of this size has: processors, MiB of memory, MiB of disk. */
export function resourcesOf(tier: number | null): { cpu: number; memory: number; storage: number } {
  const { cpu, memory, storage } = machineTiers[tierNames[(tier ?? USUAL_TIER) - 1] ?? 'Micro']
  return { cpu, memory: memory * 1024, storage: storage * 1024 }
}

/** Gives the machines of a repository another size, or the one of a single branch. A branch with a size of its own keeps it. */
export async function changeVmTier(
  database: Database,
  machines: MachineDirectory | null,
  user: User,
  { projectId, branchId, tier }: { projectId: string; branchId: string | null; tier: number },
): Promise<void> {
  const boxes = await inTransaction(database, user, async (work) => {
    const project = await findProject(work.tx, projectId)
    const role = project ? await projectRole(work.tx, project, user) : 'none'
    if (!project || !branchPolicies.mayDo(role, 'see')) {
      throw new ApiError('NOT_FOUND', { detail: 'This repository was not imported' })
    }
    branchPolicies.authorize(role, 'changeMachine')
    if (project.teamId === null) throw new ApiError('FORBIDDEN')
    const { includedVmTier } = await teamLimits(work.tx, project.teamId)
    if (tier > includedVmTier) {
      throw new ApiError('LIMIT_REACHED', { detail: `You reached the maximum of tier ${includedVmTier} in this plan` })
    }
    const all = await branchesOf(work.tx, [project.id])
    const branch = all.find(({ id }) => id === branchId)
    if (branchId !== null && !branch) throw new ApiError('NOT_FOUND', { detail: 'This branch is not found' })
    const change = { vmTier: tier, updatedAt: new Date() }
    if (branch) await work.tx.update(branches).set(change).where(eq(branches.id, branch.id))
    else await work.tx.update(projects).set(change).where(eq(projects.id, project.id))
    await work.audit('project.machineChanged', { teamId: project.teamId, detail: { projectId, branchId, tier } })
    return branch ? [branch] : all.filter(({ vmTier }) => vmTier === null)
  })
  for (const { id } of boxes) await machines?.resize(id, tier)
}

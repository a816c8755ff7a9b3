import { ApiError, branchPolicies } from '@boxyard/api'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { projects } from '../database/schema.ts'
import type { Builder } from '../graphql/builder.ts'
import type { GraphqlContext } from '../graphql/graphqlContext.ts'
import { requireUser } from '../graphql/requireUser.ts'
import type { GraphqlTypes } from '../graphql/types.ts'
import { validInput } from '../graphql/validInput.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import { authorizeRepositories, findProject, findProjectIn, projectRole } from './projects.ts'
import type { Project } from './projects.ts'
import { nameText } from './nameText.ts'
import { changeVmTier, resourcesOf } from './vmTier.ts'

const teamText = z.guid()

/** Imports and branches. */
export function defineRepositoryMutations(builder: Builder, types: GraphqlTypes): void {
  const named = (owner: string, name: string) => ({
    owner: validInput(nameText, owner),
    name: validInput(nameText, name),
  })

  /** The project in a workspace, imported when it is not there yet. */
  async function imported(context: GraphqlContext, owner: string, name: string, team: string): Promise<Project> {
    const teamId = validInput(teamText, team)
    const user = requireUser(context)
    await authorizeRepositories(context.database, teamId, user, 'editRepositories')
    return (
      (await findProjectIn(context.database, named(owner, name), teamId)) ??
      context.repositories.importProject(user, named(owner, name), teamId)
    )
  }

  builder.mutationFields((t) => {
    const provider = t.arg({ type: types.gitProvider, required: true })
    const repository = { name: t.arg.string({ required: true }), owner: t.arg.string({ required: true }), provider }
    const inTeam = { ...repository, team: t.arg.id({ required: true }) }
    return {
      createBranch: t.field({
        type: types.branch,
        nullable: false,
        args: { ...inTeam, branch: t.arg.string(), from: t.arg.string() },
        resolve: async (_root, { owner, name, team, branch, from }, context) => {
          const project = await imported(context, owner, name, team)
          return context.repositories.createBranch(requireUser(context), project, {
            name: branch ?? null,
            from: from ?? null,
          })
        },
      }),
      createContributionBranch: t.field({
        type: types.branch,
        nullable: false,
        args: { ...repository, from: t.arg.string() },
        resolve: async (_root, { owner, name, from }, context) => {
          const user = requireUser(context)
          const project = await context.repositories.importReadOnlyProject(user, named(owner, name))
          return context.repositories.createContributionBranch(user, project, from ?? null)
        },
      }),
      deleteBranch: t.boolean({
        nullable: false,
        args: { id: t.arg.string({ required: true }) },
        resolve: async (_root, { id }, context) => {
          await context.repositories.removeBranch(requireUser(context), validInput(nameText, id))
          return true
        },
      }),
      deleteProject: t.boolean({
        nullable: false,
        args: inTeam,
        resolve: async (_root, { owner, name, team }, context) => {
          const user = requireUser(context)
          const teamId = validInput(teamText, team)
          await authorizeRepositories(context.database, teamId, user, 'removeRepositories')
          const project = await findProjectIn(context.database, named(owner, name), teamId)
          if (!project) throw new ApiError('NOT_FOUND', { detail: 'This repository was not imported' })
          await context.repositories.removeProject(user, project)
          return true
        },
      }),
      deleteProjectById: t.boolean({
        nullable: false,
        args: { id: t.arg.id({ required: true }) },
        resolve: async (_root, { id }, context) => {
          const user = requireUser(context)
          const project = await findProject(context.database, validInput(teamText, id))
          if (!project?.teamId) throw new ApiError('NOT_FOUND', { detail: 'This repository was not imported' })
          await context.repositories.removeProject(user, project)
          return true
        },
      }),
      importBranch: t.field({
        type: types.branch,
        nullable: false,
        args: { ...inTeam, branch: t.arg.string({ required: true }) },
        resolve: async (_root, { owner, name, team, branch }, context) => {
          const project = await imported(context, owner, name, team)
          return context.repositories.openBranch(requireUser(context), project, validInput(nameText, branch))
        },
      }),
      importProject: t.field({
        type: types.project,
        nullable: false,
        args: inTeam,
        resolve: async (_root, { owner, name, team }, context) =>
          context.repositories.importProject(requireUser(context), named(owner, name), validInput(teamText, team)),
      }),
      importReadOnlyBranch: t.field({
        type: types.branch,
        nullable: false,
        args: { ...repository, branch: t.arg.string({ required: true }) },
        resolve: async (_root, { owner, name, branch }, context) => {
          const user = requireUser(context)
          const project = await context.repositories.importReadOnlyProject(user, named(owner, name))
          return context.repositories.openBranch(user, project, validInput(nameText, branch))
        },
      }),
      importReadOnlyProject: t.field({
        type: types.project,
        nullable: false,
        args: repository,
        resolve: (_root, { owner, name }, context) =>
          context.repositories.importReadOnlyProject(requireUser(context), named(owner, name)),
      }),
      setBranchProtection: t.field({
        type: types.branch,
        nullable: false,
        args: { branchId: t.arg.string({ required: true }), protected: t.arg.boolean({ required: true }) },
        resolve: (_root, { branchId, protected: isProtected }, context) =>
          context.repositories.protectBranch(requireUser(context), validInput(nameText, branchId), isProtected),
      }),
      updateProjectVmTier: t.field({
        type: types.resources,
        nullable: false,
        args: {
          branchId: t.arg.string(),
          projectId: t.arg({ type: 'UUID4', required: true }),
          vmTier: t.arg.int({ required: true }),
        },
        resolve: async (_root, { branchId, projectId, vmTier }, context) => {
          const tier = validInput(z.int().min(1).max(7), vmTier)
          const { database, machines } = context
          await changeVmTier(database, machines, requireUser(context), { projectId, branchId: branchId ?? null, tier })
          return resourcesOf(tier)
        },
      }),
      updateProjectSettings: t.field({
        type: types.projectSettings,
        nullable: false,
        args: { aiConsent: t.arg.boolean(), projectId: t.arg({ type: 'UUID4', required: true }) },
        resolve: async (_root, { aiConsent, projectId }, context) => {
          const user = requireUser(context)
          return inTransaction(context.database, user, async (work) => {
            const [project] = await work.tx
              .select()
              .from(projects)
              .where(eq(projects.id, projectId))
              .for('no key update')
            const role = project ? await projectRole(work.tx, project, user) : 'none'
            if (!project?.teamId || !branchPolicies.mayDo(role, 'see')) {
              throw new ApiError('NOT_FOUND', { detail: 'This repository was not imported' })
            }
            branchPolicies.authorize(role, 'consent')
            const said = { aiConsent: aiConsent ?? null }
            await work.tx
              .update(projects)
              .set({ ...said, updatedAt: new Date() })
              .where(eq(projects.id, projectId))
            await work.audit('project.consentChanged', { teamId: project.teamId, detail: { projectId, ...said } })
            return said
          })
        },
      }),
    }
  })
}

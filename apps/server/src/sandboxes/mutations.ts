import type { SandboxOperation } from '@boxyard/api'
import { z } from 'zod'
import type { User } from '../accounts/users.ts'
import type { Builder } from '../graphql/builder.ts'
import type { GraphqlContext } from '../graphql/graphqlContext.ts'
import { requireUser } from '../graphql/requireUser.ts'
import type { GraphqlTypes } from '../graphql/types.ts'
import { validInput } from '../graphql/validInput.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import { authorizeTeam } from '../workspaces/authorizeTeam.ts'
import { authorizeSandboxes, sandboxIdsSchema } from './authorizeSandboxes.ts'
import type { AuthorizedSandbox } from './authorizeSandboxes.ts'
import { changeSandboxes, incrementVersion, removeSandboxes, setPrivacy, trashSandboxes } from './changeSandboxes.ts'
import {
  bookmarkTemplate,
  findTemplateById,
  makeTemplates,
  unbookmarkTemplate,
  unmakeTemplates,
} from './customTemplates.ts'
import { isVisible } from './templateFields.ts'

const titleSchema = z.string().trim().min(1, 'Give it a title.').max(100, 'At most 100 characters.')

/** Changes of sandboxes, one or many at once: all of them or none. */
export function defineSandboxMutations(builder: Builder, types: GraphqlTypes): void {
  async function inSandboxes<T>(
    context: GraphqlContext,
    ids: readonly string[],
    operation: SandboxOperation,
    command: (work: Work, list: AuthorizedSandbox[], user: User) => Promise<T>,
    options: { trash?: boolean } = {},
  ): Promise<T> {
    const user = requireUser(context)
    const valid = validInput(sandboxIdsSchema, ids)
    return inTransaction(context.database, user, async (work) =>
      command(work, await authorizeSandboxes(work.tx, valid, user, operation, options), user),
    )
  }

  builder.mutationFields((t) => ({
    renameSandbox: t.field({
      type: types.sandbox,
      nullable: false,
      args: { id: t.arg.id({ required: true }), title: t.arg.string({ required: true }) },
      resolve: async (_root, { id, title }, context) => {
        const valid = validInput(titleSchema, title)
        const [sandbox] = await inSandboxes(context, [id], 'rename', (work, list) =>
          changeSandboxes(work, list, { title: valid }),
        )
        return sandbox!
      },
    }),
    deleteSandboxes: t.field({
      type: [types.sandbox],
      nullable: false,
      args: { sandboxIds: t.arg.idList({ required: true }) },
      resolve: async (_root, { sandboxIds }, context) => {
        const trashed = await inSandboxes(context, sandboxIds, 'delete', trashSandboxes)
        for (const { id, isV2 } of trashed) if (isV2) await context.machines?.stop(id)
        return trashed
      },
    }),
    permanentlyDeleteSandboxes: t.field({
      type: [types.sandbox],
      nullable: false,
      args: { sandboxIds: t.arg.idList({ required: true }) },
      resolve: async (_root, { sandboxIds }, context) => {
        const removed = await inSandboxes(context, sandboxIds, 'delete', removeSandboxes, { trash: true })
        for (const { id, isV2 } of removed) if (isV2) await context.machines?.remove(id)
        return removed
      },
    }),
    setSandboxesPrivacy: t.field({
      type: [types.sandbox],
      nullable: false,
      args: { privacy: t.arg.int(), sandboxIds: t.arg.idList({ required: true }) },
      resolve: (_root, { privacy, sandboxIds }, context) =>
        inSandboxes(context, sandboxIds, 'changePrivacy', (work, list) => setPrivacy(work, list, privacy)),
    }),
    setSandboxesFrozen: t.field({
      type: [types.sandbox],
      nullable: false,
      args: { isFrozen: t.arg.boolean({ required: true }), sandboxIds: t.arg.idList({ required: true }) },
      resolve: (_root, { isFrozen, sandboxIds }, context) =>
        inSandboxes(context, sandboxIds, 'freeze', (work, list) => changeSandboxes(work, list, { isFrozen })),
    }),
    setPreventSandboxesExport: t.field({
      type: [types.sandbox],
      nullable: false,
      args: { preventSandboxExport: t.arg.boolean({ required: true }), sandboxIds: t.arg.idList({ required: true }) },
      resolve: (_root, { preventSandboxExport, sandboxIds }, context) =>
        inSandboxes(context, sandboxIds, 'protect', (work, list) =>
          changeSandboxes(work, list, { preventSandboxExport }),
        ),
    }),
    setPreventSandboxesLeavingWorkspace: t.field({
      type: [types.sandbox],
      nullable: false,
      args: { preventSandboxLeaving: t.arg.boolean({ required: true }), sandboxIds: t.arg.idList({ required: true }) },
      resolve: (_root, { preventSandboxLeaving, sandboxIds }, context) =>
        inSandboxes(context, sandboxIds, 'protect', (work, list) =>
          changeSandboxes(work, list, { preventSandboxLeaving }),
        ),
    }),
    setSandboxAlwaysOn: t.field({
      type: types.sandbox,
      nullable: false,
      args: { alwaysOn: t.arg.boolean({ required: true }), sandboxId: t.arg.id({ required: true }) },
      resolve: async (_root, { alwaysOn, sandboxId }, context) => {
        const [sandbox] = await inSandboxes(context, [sandboxId], 'changeMachine', (work, list) =>
          changeSandboxes(work, list, { alwaysOn }),
        )
        return sandbox!
      },
    }),
    updateSandboxSettings: t.field({
      type: types.sandboxSettings,
      nullable: false,
      args: { aiConsent: t.arg.boolean(), sandboxId: t.arg.id({ required: true }) },
      resolve: async (_root, { aiConsent, sandboxId }, context) => {
        const [sandbox] = await inSandboxes(context, [sandboxId], 'consent', async (work, list) => {
          for (const { sandbox } of list) {
            await work.audit('sandbox.consentChanged', { sandboxId: sandbox.id, detail: { aiConsent } })
          }
          return changeSandboxes(work, list, { aiConsent: aiConsent ?? null })
        })
        return { aiConsent: sandbox!.aiConsent }
      },
    }),
    incrementSandboxVersion: t.string({
      nullable: false,
      args: { sandboxId: t.arg.id({ required: true }) },
      resolve: async (_root, { sandboxId }, context) => {
        await inSandboxes(context, [sandboxId], 'edit', (work, list) => incrementVersion(work, list[0]!))
        return 'Version incremented'
      },
    }),
    makeSandboxesTemplates: t.field({
      type: [types.template],
      nullable: false,
      args: { sandboxIds: t.arg.idList({ required: true }) },
      resolve: async (_root, { sandboxIds }, context) => {
        const made = await inSandboxes(context, sandboxIds, 'makeTemplate', makeTemplates)
        return made.map((template) => ({ kind: 'custom' as const, template }))
      },
    }),
    unmakeSandboxesTemplates: t.field({
      type: [types.template],
      nullable: false,
      args: { sandboxIds: t.arg.idList({ required: true }) },
      resolve: async (_root, { sandboxIds }, context) => {
        const removed = await inSandboxes(context, sandboxIds, 'makeTemplate', unmakeTemplates)
        return removed.map((template) => ({ kind: 'custom' as const, template }))
      },
    }),
    bookmarkTemplate: t.field({
      type: types.template,
      nullable: true,
      args: { teamId: t.arg({ type: 'UUID4' }), templateId: t.arg({ type: 'UUID4', required: true }) },
      resolve: (_root, { teamId, templateId }, context) =>
        changeBookmark(context, bookmarkTemplate, templateId, teamId),
    }),
    unbookmarkTemplate: t.field({
      type: types.template,
      nullable: true,
      args: { teamId: t.arg({ type: 'UUID4' }), templateId: t.arg({ type: 'UUID4', required: true }) },
      resolve: (_root, { teamId, templateId }, context) =>
        changeBookmark(context, unbookmarkTemplate, templateId, teamId),
    }),
  }))
}

/** The template, or null when there is none that whoever asks may see. */
async function changeBookmark(
  context: GraphqlContext,
  change: typeof bookmarkTemplate,
  templateId: string,
  teamId: string | null | undefined,
) {
  const user = requireUser(context)
  const template = await findTemplateById(context.database, context.templates, templateId)
  if (!template || !(await isVisible(context, template))) return null
  await inTransaction(context.database, user, async (work) => {
    if (teamId != null) await authorizeTeam(work.tx, teamId, user, 'editTemplates')
    await change(work, templateId, teamId == null ? { userId: user.id } : { teamId })
  })
  return template
}

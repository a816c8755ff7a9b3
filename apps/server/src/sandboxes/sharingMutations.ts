import { z } from 'zod'
import type { User } from '../accounts/users.ts'
import type { Builder } from '../graphql/builder.ts'
import type { GraphqlContext } from '../graphql/graphqlContext.ts'
import { requireUser } from '../graphql/requireUser.ts'
import type { GraphqlTypes } from '../graphql/types.ts'
import { validInput } from '../graphql/validInput.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import { authorizeSandboxInTransaction } from './authorizeSandboxes.ts'
import {
  addCollaborator,
  changeCollaborator,
  changeInvitation,
  createInvitation,
  redeemInvitation,
  removeCollaborator,
  revokeInvitation,
} from './collaborators.ts'
import type { Sandbox } from './sandboxes.ts'

const emailSchema = z.email('This is no e-mail address.').max(254)

/** Who else may do what with a sandbox. */
export function defineSharingMutations(builder: Builder, types: GraphqlTypes): void {
  async function sharing<T>(
    context: GraphqlContext,
    sandboxId: string,
    command: (work: Work, sandbox: Sandbox, user: User) => Promise<T>,
  ): Promise<T> {
    const user = requireUser(context)
    return inTransaction(context.database, user, async (work) => {
      const { sandbox } = await authorizeSandboxInTransaction(work.tx, sandboxId, user, 'share')
      return command(work, sandbox, user)
    })
  }

  builder.mutationFields((t) => ({
    addCollaborator: t.field({
      type: types.collaborator,
      nullable: false,
      args: {
        authorization: t.arg({ type: types.authorization, required: true }),
        sandboxId: t.arg.id({ required: true }),
        username: t.arg.string({ required: true }),
      },
      resolve: (_root, { authorization, sandboxId, username }, context) =>
        sharing(context, sandboxId, (work, sandbox, user) =>
          addCollaborator(work, sandbox, user, username, authorization),
        ),
    }),
    changeCollaboratorAuthorization: t.field({
      type: types.collaborator,
      nullable: false,
      args: {
        authorization: t.arg({ type: types.authorization, required: true }),
        sandboxId: t.arg.id({ required: true }),
        username: t.arg.string({ required: true }),
      },
      resolve: (_root, { authorization, sandboxId, username }, context) =>
        sharing(context, sandboxId, (work, sandbox) => changeCollaborator(work, sandbox, username, authorization)),
    }),
    removeCollaborator: t.field({
      type: types.collaborator,
      nullable: false,
      args: { sandboxId: t.arg.id({ required: true }), username: t.arg.string({ required: true }) },
      resolve: (_root, { sandboxId, username }, context) =>
        sharing(context, sandboxId, (work, sandbox) => removeCollaborator(work, sandbox, username)),
    }),
    createSandboxInvitation: t.field({
      type: types.invitation,
      nullable: false,
      args: {
        authorization: t.arg({ type: types.authorization, required: true }),
        email: t.arg.string({ required: true }),
        sandboxId: t.arg.id({ required: true }),
      },
      resolve: (_root, { authorization, email, sandboxId }, context) => {
        const valid = validInput(emailSchema, email)
        return sharing(context, sandboxId, (work, sandbox, user) =>
          createInvitation(work, sandbox, user, valid, authorization),
        )
      },
    }),
    changeSandboxInvitationAuthorization: t.field({
      type: types.invitation,
      nullable: false,
      args: {
        authorization: t.arg({ type: types.authorization, required: true }),
        invitationId: t.arg({ type: 'UUID4', required: true }),
        sandboxId: t.arg.id({ required: true }),
      },
      resolve: (_root, { authorization, invitationId, sandboxId }, context) =>
        sharing(context, sandboxId, (work, sandbox) => changeInvitation(work, sandbox, invitationId, authorization)),
    }),
    revokeSandboxInvitation: t.field({
      type: types.invitation,
      nullable: false,
      args: {
        invitationId: t.arg({ type: 'UUID4', required: true }),
        sandboxId: t.arg.id({ required: true }),
      },
      resolve: (_root, { invitationId, sandboxId }, context) =>
        sharing(context, sandboxId, (work, sandbox) => revokeInvitation(work, sandbox, invitationId)),
    }),
    redeemSandboxInvitation: t.field({
      type: types.invitation,
      nullable: false,
      args: { invitationToken: t.arg.string({ required: true }), sandboxId: t.arg.id({ required: true }) },
      resolve: (_root, { invitationToken, sandboxId }, context) => {
        const user = requireUser(context)
        return inTransaction(context.database, user, (work) => redeemInvitation(work, user, sandboxId, invitationToken))
      },
    }),
  }))
}

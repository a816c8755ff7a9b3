import { ApiError } from '@boxyard/api'
import { inArray } from 'drizzle-orm'
import { userLoader } from '../accounts/loaders.ts'
import { subscriptionLoader } from '../billing/loaders.ts'
import { commentLoader } from '../comments/loaders.ts'
import { branches, sandboxCollaborators, sandboxInvitations } from '../database/schema.ts'
import type { Builder } from '../graphql/builder.ts'
import type { GraphqlContext } from '../graphql/graphqlContext.ts'
import { defineRowLoader } from '../graphql/loader.ts'
import type { GraphqlTypes } from '../graphql/types.ts'
import { liveSessionLoader } from '../live/loaders.ts'
import type { RepositoryEventShape } from '../repositories/graphqlTypes.ts'
import type { BranchEventShape, ProjectEventShape } from '../reviews/graphqlTypes.ts'
import type { CommentRow } from '../comments/graphqlTypes.ts'
import type { CollaboratorRow, InvitationRow } from '../sandboxes/graphqlTypes.ts'
import { sandboxLoader } from '../sandboxes/loaders.ts'
import { machineFeed, pullRequestFeed, repositoryFeed, sandboxFeed, teamFeed } from './feeds.ts'
import { reviveMoments } from './reviveMoments.ts'

const collaboratorLoader = defineRowLoader(({ database }, ids) =>
  database
    .select()
    .from(sandboxCollaborators)
    .where(inArray(sandboxCollaborators.id, [...ids])),
)
const invitationLoader = defineRowLoader(({ database }, ids) =>
  database
    .select()
    .from(sandboxInvitations)
    .where(inArray(sandboxInvitations.id, [...ids])),
)
const branchLoader = defineRowLoader(({ database }, ids) =>
  database
    .select()
    .from(branches)
    .where(inArray(branches.id, [...ids])),
)

/** The subscriptions of the query API. Each gets the event of its name; what the event is about is loaded when it is delivered. */
export function defineSubscriptions(builder: Builder, types: GraphqlTypes): void {
  builder.subscriptionFields((t) => {
    const sandboxArgs = { sandboxId: t.arg.id({ required: true }) }
    const repositoryArgs = { owner: t.arg.string({ required: true }), repo: t.arg.string({ required: true }) }
    const branchArgs = { branchId: t.arg.string(), ...repositoryArgs }
    return {
      branchEvents: t.field({
        type: types.branchEvent,
        nullable: false,
        args: { branchName: t.arg.string({ required: true }), ...repositoryArgs },
        ...pullRequestFeed('branchEvents', (args: BranchNameArgs, { branchName }) => args.branchName === branchName),
        resolve: ({ event }) => reviveMoments(event) as unknown as BranchEventShape,
      }),
      collaboratorAdded: t.field({
        type: types.collaborator,
        nullable: false,
        args: sandboxArgs,
        ...sandboxFeed('collaboratorAdded', 'seeCollaborators'),
        resolve: ({ collaboratorId }, _args, context) => present(collaboratorLoader(context).load(collaboratorId)),
      }),
      collaboratorChanged: t.field({
        type: types.collaborator,
        nullable: false,
        args: sandboxArgs,
        ...sandboxFeed('collaboratorChanged', 'seeCollaborators'),
        resolve: ({ collaboratorId }, _args, context) => present(collaboratorLoader(context).load(collaboratorId)),
      }),
      collaboratorRemoved: t.field({
        type: types.collaborator,
        nullable: false,
        args: sandboxArgs,
        ...sandboxFeed('collaboratorRemoved', 'seeCollaborators'),
        resolve: ({ collaboratorId, userId, sandboxId, authorization }): CollaboratorRow => ({
          id: collaboratorId,
          userId,
          sandboxId,
          authorization: authorization as CollaboratorRow['authorization'],
          insertedAt: new Date(),
          updatedAt: new Date(),
        }),
      }),
      commentAdded: t.field({
        type: types.comment,
        nullable: false,
        args: sandboxArgs,
        ...sandboxFeed('commentAdded', 'see'),
        resolve: ({ commentId }, _args, context) => present(commentLoader(context).load(commentId)),
      }),
      commentChanged: t.field({
        type: types.comment,
        nullable: false,
        args: sandboxArgs,
        ...sandboxFeed('commentChanged', 'see'),
        resolve: ({ commentId }, _args, context) => present(commentLoader(context).load(commentId)),
      }),
      commentRemoved: t.field({
        type: types.comment,
        nullable: false,
        args: sandboxArgs,
        ...sandboxFeed('commentRemoved', 'see'),
        resolve: ({ comment }) => reviveMoments(comment) as unknown as CommentRow,
      }),
      githubEvents: t.field({
        type: types.repositoryEvent,
        nullable: false,
        args: repositoryArgs,
        ...repositoryFeed('githubEvents'),
        resolve: ({ event }) => reviveMoments(event) as unknown as RepositoryEventShape,
      }),
      invitationChanged: t.field({
        type: types.invitation,
        nullable: false,
        args: sandboxArgs,
        ...sandboxFeed('invitationChanged', 'share'),
        resolve: ({ invitationId }, _args, context) => present(invitationLoader(context).load(invitationId)),
      }),
      invitationCreated: t.field({
        type: types.invitation,
        nullable: false,
        args: sandboxArgs,
        ...sandboxFeed('invitationCreated', 'share'),
        resolve: ({ invitationId }, _args, context) => present(invitationLoader(context).load(invitationId)),
      }),
      invitationRemoved: t.field({
        type: types.invitation,
        nullable: false,
        args: sandboxArgs,
        ...sandboxFeed('invitationRemoved', 'share'),
        resolve: ({ invitationId, sandboxId, email, authorization, token }): InvitationRow => ({
          id: invitationId,
          sandboxId,
          email,
          authorization: authorization as InvitationRow['authorization'],
          token,
          invitedById: null,
          insertedAt: new Date(),
          expiresAt: new Date(),
        }),
      }),
      liveSessionEvents: t.field({
        type: types.liveSessionEvent,
        nullable: false,
        args: { vmId: t.arg.id({ required: true }) },
        ...machineFeed('liveSessionEvents'),
        resolve: async ({ event, sessionId }, _args, context) => ({
          event,
          session: await present(liveSessionLoader(context).load(sessionId)),
        }),
      }),
      projectCommits: t.field({
        type: types.branchLastCommit,
        nullable: false,
        args: branchArgs,
        ...repositoryFeed('projectCommits', isBranchMeant),
        resolve: async ({ branchId }, _args, context) => {
          const { lastCommit } = await present(branchLoader(context).load(branchId))
          if (!lastCommit) throw new ApiError('NOT_FOUND')
          const { userId, ...commit } = lastCommit
          return { branchId, lastCommit: { ...commit, user: await personOf(context, userId) } }
        },
      }),
      projectConnections: t.field({
        type: types.branchConnections,
        nullable: false,
        args: branchArgs,
        ...repositoryFeed('projectConnections', isBranchMeant),
        resolve: async ({ branchId, connections }, _args, context) => ({
          branchId,
          connections: await Promise.all(
            connections.map(async ({ appId, clientId, color, timestamp, userId }) => ({
              appId,
              clientId,
              color,
              timestamp,
              user: await personOf(context, userId),
            })),
          ),
        }),
      }),
      projectEvents: t.field({
        type: types.projectEvent,
        nullable: false,
        args: repositoryArgs,
        ...pullRequestFeed('projectEvents'),
        resolve: ({ event }) => reviveMoments(event) as unknown as ProjectEventShape,
      }),
      projectStatus: t.field({
        type: types.branchStatus,
        nullable: false,
        args: branchArgs,
        ...repositoryFeed('projectStatus', isBranchMeant),
        resolve: async ({ branchId }, _args, context) => {
          const { status } = await present(branchLoader(context).load(branchId))
          if (!status) throw new ApiError('NOT_FOUND')
          return { branchId, status }
        },
      }),
      sandboxChanged: t.field({
        type: types.sandbox,
        nullable: false,
        args: sandboxArgs,
        ...sandboxFeed('sandboxChanged', 'see'),
        resolve: ({ sandboxId }, _args, context) => present(sandboxLoader(context).load(sandboxId)),
      }),
      teamEvents: t.field({
        type: types.teamEvent,
        nullable: false,
        args: { teamId: t.arg.id() },
        ...teamFeed('teamEvents'),
        resolve: async ({ teamId, event, subscriptionId }, _args, context) => ({
          __typename: 'TeamSubscriptionEvent' as const,
          event,
          subscription: await present(subscriptionLoader(context).load(subscriptionId)),
          teamId,
        }),
      }),
    }
  })
}

interface BranchNameArgs {
  branchName: string
  owner: string
  repo: string
}

interface BranchArgs {
  branchId?: string | null
  owner: string
  repo: string
}

function isBranchMeant(args: BranchArgs, { branchId }: { branchId: string }): boolean {
  return args.branchId == null || args.branchId === branchId
}

/** What the event is about, which may be gone by the time it is delivered: then there is nothing to tell. */
async function present<T>(found: Promise<T | null>): Promise<T> {
  const row = await found
  if (row === null) throw new ApiError('NOT_FOUND')
  return row
}

function personOf(context: GraphqlContext, userId: string | null) {
  return userId === null ? null : userLoader(context).load(userId)
}

import { ApiError } from '@boxyard/api'
import type { SandboxRole } from '@boxyard/api'
import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import { newSecret } from '../accounts/secrets.ts'
import { findUserByEmail, findUserByName } from '../accounts/users.ts'
import type { User } from '../accounts/users.ts'
import type { Queryable } from '../database/database.ts'
import { sandboxCollaborators, sandboxInvitations } from '../database/schema.ts'
import { addNotification } from '../notifications/addNotification.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import type { Sandbox } from './sandboxes.ts'

export type Collaborator = typeof sandboxCollaborators.$inferSelect
export type SandboxInvitation = typeof sandboxInvitations.$inferSelect

const VALID_DAYS = 30
const MOST_COLLABORATORS = 200

export function collaboratorsOf(database: Queryable, sandboxIds: readonly string[]): Promise<Collaborator[]> {
  return database
    .select()
    .from(sandboxCollaborators)
    .where(inArray(sandboxCollaborators.sandboxId, [...sandboxIds]))
    .orderBy(sandboxCollaborators.insertedAt)
}

export function invitationsOf(database: Queryable, sandboxIds: readonly string[]): Promise<SandboxInvitation[]> {
  return database
    .select()
    .from(sandboxInvitations)
    .where(and(inArray(sandboxInvitations.sandboxId, [...sandboxIds]), gt(sandboxInvitations.expiresAt, new Date())))
    .orderBy(sandboxInvitations.insertedAt)
}

/** Gives someone access to a sandbox, by user name. */
export async function addCollaborator(
  work: Work,
  sandbox: Sandbox,
  inviter: User,
  username: string,
  authorization: SandboxRole,
): Promise<Collaborator> {
  const user = await requireUserNamed(work, username)
  if (user.id === sandbox.authorId) throw new ApiError('CONFLICT', { detail: 'The author has every right already' })
  const present = await collaboratorsOf(work.tx, [sandbox.id])
  if (present.length >= MOST_COLLABORATORS) {
    throw new ApiError('LIMIT_REACHED', {
      detail: `You reached the maximum of ${MOST_COLLABORATORS} collaborators of a sandbox`,
    })
  }
  const before = present.find(({ userId }) => userId === user.id)
  if (before) return changeCollaborator(work, sandbox, username, authorization)
  const [collaborator] = await work.tx
    .insert(sandboxCollaborators)
    .values({ id: randomUUID(), sandboxId: sandbox.id, userId: user.id, authorization })
    .returning()
  await work.audit('collaborator.added', { sandboxId: sandbox.id, userId: user.id, detail: { authorization } })
  await work.publish('collaboratorAdded', { sandboxId: sandbox.id, collaboratorId: collaborator!.id })
  await addNotification(work, user.id, 'sandbox_invitation', {
    sandbox_id: sandbox.id,
    sandbox_title: sandbox.title,
    inviter_id: inviter.id,
    inviter_name: inviter.username,
    inviter_avatar: inviter.avatarUrl,
    authorization,
  })
  return collaborator!
}

export async function changeCollaborator(
  work: Work,
  sandbox: Sandbox,
  username: string,
  authorization: SandboxRole,
): Promise<Collaborator> {
  const user = await requireUserNamed(work, username)
  const [collaborator] = await work.tx
    .update(sandboxCollaborators)
    .set({ authorization, updatedAt: new Date() })
    .where(and(eq(sandboxCollaborators.sandboxId, sandbox.id), eq(sandboxCollaborators.userId, user.id)))
    .returning()
  if (!collaborator) throw noCollaborator()
  await work.audit('collaborator.changed', { sandboxId: sandbox.id, userId: user.id, detail: { authorization } })
  await work.publish('collaboratorChanged', { sandboxId: sandbox.id, collaboratorId: collaborator.id })
  await work.publish('accessChanged', { userId: user.id, teamId: null, sandboxId: sandbox.id })
  return collaborator
}

export async function removeCollaborator(work: Work, sandbox: Sandbox, username: string): Promise<Collaborator> {
  const user = await requireUserNamed(work, username)
  const [collaborator] = await work.tx
    .delete(sandboxCollaborators)
    .where(and(eq(sandboxCollaborators.sandboxId, sandbox.id), eq(sandboxCollaborators.userId, user.id)))
    .returning()
  if (!collaborator) throw noCollaborator()
  await work.audit('collaborator.removed', { sandboxId: sandbox.id, userId: user.id })
  await work.publish('collaboratorRemoved', {
    sandboxId: sandbox.id,
    collaboratorId: collaborator.id,
    userId: user.id,
    authorization: collaborator.authorization,
  })
  await work.publish('accessChanged', { userId: user.id, teamId: null, sandboxId: sandbox.id })
  return collaborator
}

/** Invites an address. Whoever is invited again gets the newer rights and a new link. */
export async function createInvitation(
  work: Work,
  sandbox: Sandbox,
  inviter: User,
  email: string,
  authorization: SandboxRole,
): Promise<SandboxInvitation> {
  await work.tx
    .delete(sandboxInvitations)
    .where(
      and(
        eq(sandboxInvitations.sandboxId, sandbox.id),
        eq(sql`lower(${sandboxInvitations.email})`, email.toLowerCase()),
      ),
    )
  const [invitation] = await work.tx
    .insert(sandboxInvitations)
    .values({
      id: randomUUID(),
      sandboxId: sandbox.id,
      email,
      authorization,
      token: newSecret(),
      invitedById: inviter.id,
      expiresAt: new Date(Date.now() + VALID_DAYS * 86_400_000),
    })
    .returning()
  const { id, token } = invitation!
  await work.audit('sandboxInvitation.created', { sandboxId: sandbox.id, detail: { email, authorization } })
  await work.publish('invitationCreated', { sandboxId: sandbox.id, invitationId: id })
  const known = await findUserByEmail(work.tx, email)
  if (known) {
    await addNotification(work, known.id, 'sandbox_invitation', {
      sandbox_id: sandbox.id,
      sandbox_title: sandbox.title ?? sandbox.id,
      inviter_name: inviter.username,
      inviter_avatar: inviter.avatarUrl,
      invitation_token: token,
    })
  }
  await work.mail('sandboxInvite', { sandboxId: sandbox.id, email, invitedById: inviter.id, token })
  return invitation!
}

export async function changeInvitation(
  work: Work,
  sandbox: Sandbox,
  invitationId: string,
  authorization: SandboxRole,
): Promise<SandboxInvitation> {
  const [invitation] = await work.tx
    .update(sandboxInvitations)
    .set({ authorization })
    .where(and(eq(sandboxInvitations.id, invitationId), eq(sandboxInvitations.sandboxId, sandbox.id)))
    .returning()
  if (!invitation) throw noInvitation()
  await work.audit('sandboxInvitation.changed', { sandboxId: sandbox.id, detail: { authorization } })
  await work.publish('invitationChanged', { sandboxId: sandbox.id, invitationId })
  return invitation
}

export async function revokeInvitation(work: Work, sandbox: Sandbox, invitationId: string): Promise<SandboxInvitation> {
  const [invitation] = await work.tx
    .delete(sandboxInvitations)
    .where(and(eq(sandboxInvitations.id, invitationId), eq(sandboxInvitations.sandboxId, sandbox.id)))
    .returning()
  if (!invitation) throw noInvitation()
  await work.audit('sandboxInvitation.revoked', { sandboxId: sandbox.id })
  await publishRemoved(work, invitation)
  return invitation
}

/** Turns an invitation into access for whoever has its token. It works once. */
export async function redeemInvitation(
  work: Work,
  user: User,
  sandboxId: string,
  token: string,
): Promise<SandboxInvitation> {
  const [invitation] = await work.tx
    .delete(sandboxInvitations)
    .where(
      and(
        eq(sandboxInvitations.sandboxId, sandboxId),
        eq(sandboxInvitations.token, token),
        gt(sandboxInvitations.expiresAt, new Date()),
      ),
    )
    .returning()
  if (!invitation) throw noInvitation()
  const { authorization } = invitation
  const [collaborator] = await work.tx
    .insert(sandboxCollaborators)
    .values({ id: randomUUID(), sandboxId, userId: user.id, authorization })
    .onConflictDoUpdate({
      target: [sandboxCollaborators.sandboxId, sandboxCollaborators.userId],
      set: { authorization, updatedAt: new Date() },
    })
    .returning()
  await work.audit('sandboxInvitation.redeemed', { sandboxId, userId: user.id, detail: { authorization } })
  await publishRemoved(work, invitation)
  await work.publish('collaboratorAdded', { sandboxId, collaboratorId: collaborator!.id })
  return invitation
}

async function publishRemoved(
  work: Work,
  { id, sandboxId, email, authorization, token }: SandboxInvitation,
): Promise<void> {
  await work.publish('invitationRemoved', { sandboxId, invitationId: id, email, authorization, token })
}

async function requireUserNamed({ tx }: Work, username: string): Promise<User> {
  const user = await findUserByName(tx, username)
  if (!user) throw new ApiError('NOT_FOUND', { detail: 'There is nobody with this username' })
  return user
}

const noCollaborator = () => new ApiError('NOT_FOUND', { detail: 'This person is no collaborator of the sandbox' })
const noInvitation = () => new ApiError('NOT_FOUND', { detail: 'This invitation is not found or has expired' })

import { ApiError } from '@boxyard/api'
import type { TeamRole } from '@boxyard/api'
import { and, eq, gt, inArray, isNotNull, sql } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import { hashSecret, newSecret } from '../accounts/secrets.ts'
import { findUserByEmail } from '../accounts/users.ts'
import type { User } from '../accounts/users.ts'
import type { Queryable } from '../database/database.ts'
import { ssoDomains, teamInvitations, teamMembers, teamRequests, teams, users } from '../database/schema.ts'
import { addNotification } from '../notifications/addNotification.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import { addMember } from './members.ts'
import type { Team } from './teams.ts'

const VALID_DAYS = 30
const NOT_FOUND_INVITATION = 'This invitation is not found or has expired'

/** Invites someone who has an account. Whoever is invited again gets the newer role. */
export async function inviteUser(
  work: Work,
  team: Team,
  inviter: User,
  invited: User,
  authorization: TeamRole,
): Promise<void> {
  refusePersonal(team)
  await refuseMember(work, team, invited.id)
  const expiresAt = expiry()
  await work.tx
    .insert(teamInvitations)
    .values({
      id: randomUUID(),
      teamId: team.id,
      userId: invited.id,
      authorization,
      invitedById: inviter.id,
      expiresAt,
    })
    .onConflictDoUpdate({
      target: [teamInvitations.teamId, teamInvitations.userId],
      targetWhere: sql`${teamInvitations.userId} is not null`,
      set: { authorization, invitedById: inviter.id, expiresAt },
    })
  await work.audit('invitation.created', { teamId: team.id, userId: invited.id, detail: { authorization } })
  await addNotification(work, invited.id, 'team_invite', {
    team_id: team.id,
    team_name: team.name,
    inviter_id: inviter.id,
    inviter_name: inviter.username,
    inviter_avatar: inviter.avatarUrl,
  })
  await work.mail('teamInvite', { teamId: team.id, email: invited.email, invitedById: inviter.id, token: null })
}

/** Invites an address. Answers the same whether it has an account or not. */
export async function inviteEmail(
  work: Work,
  team: Team,
  inviter: User,
  email: string,
  authorization: TeamRole,
): Promise<void> {
  refusePersonal(team)
  const known = await findUserByEmail(work.tx, email)
  if (known) {
    const [member] = await work.tx
      .select({ userId: teamMembers.userId })
      .from(teamMembers)
      .where(and(eq(teamMembers.teamId, team.id), eq(teamMembers.userId, known.id)))
    if (!member) await inviteUser(work, team, inviter, known, authorization)
    return
  }
  const token = newSecret()
  // The newer invitation takes the place of an older one, whose link ends with it. The workspace is locked.
  await work.tx
    .delete(teamInvitations)
    .where(and(eq(teamInvitations.teamId, team.id), eq(sql`lower(${teamInvitations.email})`, email.toLowerCase())))
  await work.tx.insert(teamInvitations).values({
    id: randomUUID(),
    teamId: team.id,
    email,
    authorization,
    invitedById: inviter.id,
    tokenHash: hashSecret(token),
    expiresAt: expiry(),
  })
  await work.audit('invitation.created', { teamId: team.id, detail: { email, authorization } })
  await work.mail('teamInvite', { teamId: team.id, email, invitedById: inviter.id, token })
}

/** Accepts the invitation that someone was sent. */
export async function acceptInvitation(work: Work, user: User, teamId: string): Promise<Team> {
  const team = await lockTeam(work, teamId)
  const invitation = await takeInvitation(work, user, teamId)
  if (!team || !invitation) throw new ApiError('NOT_FOUND', { detail: NOT_FOUND_INVITATION })
  await addMember(work, team, user.id, invitation.authorization)
  return team
}

export async function rejectInvitation(work: Work, user: User, teamId: string): Promise<void> {
  const invitation = await takeInvitation(work, user, teamId)
  if (!invitation) throw new ApiError('NOT_FOUND', { detail: NOT_FOUND_INVITATION })
  await work.audit('invitation.rejected', { teamId, userId: user.id })
}

/** Takes an invitation back, or refuses someone who asked to be let in. */
export async function revokeInvitation(work: Work, team: Team, userId: string): Promise<void> {
  const revoked = await work.tx
    .delete(teamInvitations)
    .where(and(eq(teamInvitations.teamId, team.id), eq(teamInvitations.userId, userId)))
    .returning({ id: teamInvitations.id })
  const refused = await work.tx
    .delete(teamRequests)
    .where(and(eq(teamRequests.teamId, team.id), eq(teamRequests.userId, userId)))
    .returning({ userId: teamRequests.userId })
  if (revoked.length + refused.length === 0) throw new ApiError('NOT_FOUND', { detail: NOT_FOUND_INVITATION })
  await work.audit('invitation.revoked', { teamId: team.id, userId })
}

/** The workspace that a link lets someone into: its own link, or that of an e-mail. */
export async function findTeamByToken(database: Queryable, token: string): Promise<Team | null> {
  const [byLink] = await database
    .select()
    .from(teams)
    .where(and(eq(teams.inviteToken, token), eq(teams.kind, 'team')))
  if (byLink) return byLink
  const [byMail] = await database
    .select({ team: teams })
    .from(teamInvitations)
    .innerJoin(teams, eq(teams.id, teamInvitations.teamId))
    .where(and(eq(teamInvitations.tokenHash, hashSecret(token)), gt(teamInvitations.expiresAt, new Date())))
  return byMail?.team ?? null
}

export async function redeemToken(work: Work, user: User, token: string): Promise<Team> {
  const found = await findTeamByToken(work.tx, token)
  const team = found && (await lockTeam(work, found.id))
  if (!team) throw new ApiError('NOT_FOUND', { detail: NOT_FOUND_INVITATION })
  if (team.frozen) throw new ApiError('WORKSPACE_FROZEN')
  const [invitation] = await work.tx
    .delete(teamInvitations)
    .where(eq(teamInvitations.tokenHash, hashSecret(token)))
    .returning()
  // The link may have been changed between the look and the lock.
  if (!invitation && team.inviteToken !== token) throw new ApiError('NOT_FOUND', { detail: NOT_FOUND_INVITATION })
  await addMember(work, team, user.id, invitation?.authorization ?? team.defaultAuthorization)
  return team
}

/** Asks the administrators of a workspace to be let in. Asking again changes nothing. */
export async function requestInvitation(work: Work, user: User, teamId: string): Promise<void> {
  const [team] = await work.tx
    .select()
    .from(teams)
    .where(and(eq(teams.id, teamId), eq(teams.kind, 'team')))
  if (!team) throw new ApiError('NOT_FOUND', { detail: 'This workspace is not found' })
  await refuseMember(work, team, user.id)
  const added = await work.tx
    .insert(teamRequests)
    .values({ teamId, userId: user.id })
    .onConflictDoNothing()
    .returning({ userId: teamRequests.userId })
  if (added.length === 0) return
  const administrators = await work.tx
    .select({ userId: teamMembers.userId })
    .from(teamMembers)
    .where(and(eq(teamMembers.teamId, teamId), eq(teamMembers.authorization, 'admin')))
  for (const { userId } of administrators) {
    await addNotification(work, userId, 'team_request', {
      team_id: teamId,
      team_name: team.name,
      requester_id: user.id,
      requester_name: user.username,
      requester_avatar: user.avatarUrl,
    })
  }
  await work.mail('teamRequest', { teamId, userId: user.id })
}

/** Whoever was invited and has an account. */
export async function inviteesOf(database: Queryable, teamIds: readonly string[]) {
  return database
    .select({ teamId: teamInvitations.teamId, user: users })
    .from(teamInvitations)
    .innerJoin(users, eq(users.id, teamInvitations.userId))
    .where(and(inArray(teamInvitations.teamId, [...teamIds]), gt(teamInvitations.expiresAt, new Date())))
    .orderBy(teamInvitations.insertedAt)
}

/** Workspaces that proved the domain of someone's address, and that they are no member of. */
export async function eligibleTeams(database: Queryable, user: User): Promise<Team[]> {
  const domain = user.email.slice(user.email.lastIndexOf('@') + 1).toLowerCase()
  if (domain === '' || !user.email.includes('@')) return []
  const rows = await database
    .select({ team: teams })
    .from(ssoDomains)
    .innerJoin(teams, eq(teams.id, ssoDomains.teamId))
    .where(
      and(
        eq(ssoDomains.domain, domain),
        isNotNull(ssoDomains.verifiedAt),
        sql`not exists (select 1 from ${teamMembers} where ${teamMembers.teamId} = ${teams.id} and ${teamMembers.userId} = ${user.id})`,
      ),
    )
    .orderBy(teams.name)
  return rows.map(({ team }) => team)
}

export async function joinEligibleTeam(work: Work, user: User, teamId: string): Promise<Team> {
  const eligible = (await eligibleTeams(work.tx, user)).some(({ id }) => id === teamId)
  const team = eligible ? await lockTeam(work, teamId) : null
  if (!team) throw new ApiError('NOT_FOUND', { detail: 'This workspace is not found' })
  if (team.frozen) throw new ApiError('WORKSPACE_FROZEN')
  await addMember(work, team, user.id, team.defaultAuthorization)
  return team
}

async function takeInvitation({ tx }: Work, user: User, teamId: string) {
  const [invitation] = await tx
    .delete(teamInvitations)
    .where(
      and(
        eq(teamInvitations.teamId, teamId),
        gt(teamInvitations.expiresAt, new Date()),
        eq(teamInvitations.userId, user.id),
      ),
    )
    .returning()
  return invitation ?? null
}

async function lockTeam({ tx }: Work, teamId: string): Promise<Team | null> {
  const [team] = await tx.select().from(teams).where(eq(teams.id, teamId)).for('no key update')
  return team ?? null
}

async function refuseMember({ tx }: Work, team: Team, userId: string): Promise<void> {
  const [member] = await tx
    .select({ userId: teamMembers.userId })
    .from(teamMembers)
    .where(and(eq(teamMembers.teamId, team.id), eq(teamMembers.userId, userId)))
  if (member) throw new ApiError('CONFLICT', { detail: 'This person is a member of the workspace already' })
}

function refusePersonal(team: Team): void {
  if (team.kind === 'personal') throw new ApiError('CONFLICT', { detail: 'A personal workspace has one member' })
}

const expiry = () => new Date(Date.now() + VALID_DAYS * 86_400_000)

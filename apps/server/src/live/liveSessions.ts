import { ApiError, livePolicies } from '@boxyard/api'
import type { LiveOperation, LiveRole } from '@boxyard/api'
import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import type { User } from '../accounts/users.ts'
import type { Queryable } from '../database/database.ts'
import { liveSessionGuests, liveSessions } from '../database/schema.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import { whoMayWithBranch } from '../repositories/branchFollowers.ts'
import { whoMayWithSandbox } from '../sandboxes/sandboxFollowers.ts'
import type { LiveSessionPermissionValue, LiveSessionRow } from './graphqlTypes.ts'

/** The session that runs on a machine. */
export async function runningSession(database: Queryable, vmId: string): Promise<LiveSessionRow | null> {
  const [session] = await database
    .select()
    .from(liveSessions)
    .where(and(eq(liveSessions.vmId, vmId), isNull(liveSessions.stoppedAt)))
  return session ?? null
}

/** The guests of the session that runs on a machine, and what each may do. */
export async function guestsOf(
  database: Queryable,
  vmId: string,
): Promise<ReadonlyMap<string, LiveSessionPermissionValue>> {
  const rows = await database
    .select({ guest: liveSessionGuests, session: liveSessions })
    .from(liveSessionGuests)
    .innerJoin(liveSessions, eq(liveSessions.id, liveSessionGuests.sessionId))
    .where(and(eq(liveSessions.vmId, vmId), isNull(liveSessions.stoppedAt)))
  return new Map(rows.map(({ guest, session }) => [guest.userId, guest.permission ?? session.defaultPermission]))
}

/** On which of these machines someone is a guest now, and what they may do there. */
export async function guestPermissions(
  database: Queryable,
  vmIds: readonly string[],
  userId: string,
): Promise<ReadonlyMap<string, LiveSessionPermissionValue>> {
  if (vmIds.length === 0) return new Map()
  const rows = await database
    .select({ guest: liveSessionGuests, session: liveSessions })
    .from(liveSessionGuests)
    .innerJoin(liveSessions, eq(liveSessions.id, liveSessionGuests.sessionId))
    .where(
      and(eq(liveSessionGuests.userId, userId), inArray(liveSessions.vmId, [...vmIds]), isNull(liveSessions.stoppedAt)),
    )
  return new Map(rows.map(({ guest, session }) => [session.vmId, guest.permission ?? session.defaultPermission]))
}

/** Who joined a session, in the order in which they came. */
export async function guestsOfSessions(database: Queryable, sessionIds: readonly string[]) {
  return database
    .select()
    .from(liveSessionGuests)
    .where(inArray(liveSessionGuests.sessionId, [...sessionIds]))
    .orderBy(asc(liveSessionGuests.joinedAt), asc(liveSessionGuests.userId))
}

/** Whether someone may do this with what a machine belongs to, a devbox or a branch. */
async function mayWithMachine(
  database: Queryable,
  vmId: string,
  user: Pick<User, 'id'>,
  operation: 'see' | 'startLiveSession',
): Promise<boolean> {
  if ((await whoMayWithSandbox(database, [user.id], vmId, operation)).has(user.id)) return true
  return (await whoMayWithBranch(database, [user.id], vmId, operation)).has(user.id)
}

/** What someone is to a running session. Whoever may start one on the machine may also end it: the host may be gone. */
async function roleIn(database: Queryable, session: LiveSessionRow, user: Pick<User, 'id'>): Promise<LiveRole> {
  if (session.hostId === user.id) return 'host'
  if (await mayWithMachine(database, session.vmId, user, 'startLiveSession')) return 'host'
  const guest = (await guestsOf(database, session.vmId)).get(user.id)
  if (guest) return guest
  return (await mayWithMachine(database, session.vmId, user, 'see')) ? 'read' : 'none'
}

/** The session on a machine for someone who may see it; null when there is none for them. */
export async function visibleSession(
  database: Queryable,
  vmId: string,
  user: Pick<User, 'id'> | null,
): Promise<LiveSessionRow | null> {
  const session = user && (await runningSession(database, vmId))
  return session && livePolicies.mayDo(await roleIn(database, session, user), 'see') ? session : null
}

async function authorizedSession(work: Work, vmId: string, user: User, operation: LiveOperation) {
  const session = await runningSession(work.tx, vmId)
  const role = session ? await roleIn(work.tx, session, user) : 'none'
  if (!session || !livePolicies.mayDo(role, 'see')) {
    throw new ApiError('NOT_FOUND', { detail: 'This live session is not found' })
  }
  livePolicies.authorize(role, operation, 'Only the host of a live session may do this')
  return session
}

/** Opens a machine to guests. Starting what runs already gives the running session. */
export async function startSession(
  work: Work,
  user: User,
  { vmId, defaultPermission }: { vmId: string; defaultPermission: LiveSessionPermissionValue },
): Promise<LiveSessionRow> {
  if (!(await mayWithMachine(work.tx, vmId, user, 'see'))) {
    throw new ApiError('NOT_FOUND', { detail: 'This devbox is not found' })
  }
  if (!(await mayWithMachine(work.tx, vmId, user, 'startLiveSession'))) throw new ApiError('FORBIDDEN')
  const [started] = await work.tx
    .insert(liveSessions)
    .values({ id: randomUUID(), vmId, hostId: user.id, defaultPermission })
    .onConflictDoNothing()
    .returning()
  if (!started) return authorizedSession(work, vmId, user, 'see')
  await work.publish('liveSessionEvents', { vmId, sessionId: started.id, event: 'started' })
  await work.audit('live.started', { sandboxId: vmId, detail: { defaultPermission } })
  return started
}

/** Lets someone with the link in. Joining again changes nothing. */
export async function joinSession(work: Work, user: User, id: string): Promise<LiveSessionRow> {
  const [session] = await work.tx
    .select()
    .from(liveSessions)
    .where(and(eq(liveSessions.id, id), isNull(liveSessions.stoppedAt)))
    .for('update')
  if (!session) throw new ApiError('NOT_FOUND', { detail: 'This live session is not found, or it has ended' })
  // Whoever could have started it is no guest.
  if ((await roleIn(work.tx, session, user)) === 'host') return session
  const [joined] = await work.tx
    .insert(liveSessionGuests)
    .values({ sessionId: id, userId: user.id, joinedAt: new Date() })
    .onConflictDoNothing()
    .returning()
  if (joined) {
    await work.publish('liveSessionEvents', { vmId: session.vmId, sessionId: id, event: 'joined' })
    await work.audit('live.joined', { sandboxId: session.vmId, userId: user.id })
  }
  return session
}

export async function stopSession(work: Work, user: User, vmId: string): Promise<LiveSessionRow> {
  const session = await authorizedSession(work, vmId, user, 'stop')
  await work.publish('liveSessionEvents', { vmId, sessionId: session.id, event: 'stopped' })
  const [stopped] = await work.tx
    .update(liveSessions)
    .set({ stoppedAt: new Date() })
    .where(and(eq(liveSessions.id, session.id), isNull(liveSessions.stoppedAt)))
    .returning()
  if (stopped) await work.audit('live.stopped', { sandboxId: vmId })
  await work.publish('accessChanged', { userId: null, teamId: null, sandboxId: null, vmId })
  await work.publish('accessChanged', { userId: null, teamId: null, sandboxId: vmId })
  return stopped ?? session
}

/** What guests may do who were given nothing of their own. */
export async function setDefaultPermission(
  work: Work,
  user: User,
  { vmId, permission }: { vmId: string; permission: LiveSessionPermissionValue },
): Promise<LiveSessionRow> {
  const session = await authorizedSession(work, vmId, user, 'changePermissions')
  const [changed] = await work.tx
    .update(liveSessions)
    .set({ defaultPermission: permission })
    .where(eq(liveSessions.id, session.id))
    .returning()
  await work.publish('liveSessionEvents', { vmId, sessionId: session.id, event: 'set_default_permission' })
  await work.publish('accessChanged', { userId: null, teamId: null, sandboxId: vmId })
  await work.audit('live.permissionChanged', { sandboxId: vmId, detail: { permission } })
  return changed!
}

export async function setGuestPermission(
  work: Work,
  user: User,
  { vmId, userId, permission }: { vmId: string; userId: string; permission: LiveSessionPermissionValue },
): Promise<LiveSessionRow> {
  const session = await authorizedSession(work, vmId, user, 'changePermissions')
  const [changed] = await work.tx
    .update(liveSessionGuests)
    .set({ permission })
    .where(and(eq(liveSessionGuests.sessionId, session.id), eq(liveSessionGuests.userId, userId)))
    .returning()
  if (!changed) throw new ApiError('NOT_FOUND', { detail: 'This guest is not found' })
  await work.publish('liveSessionEvents', { vmId, sessionId: session.id, event: 'set_guest_permission' })
  await work.publish('accessChanged', { userId, teamId: null, sandboxId: null })
  await work.audit('live.permissionChanged', { sandboxId: vmId, userId, detail: { permission } })
  return session
}

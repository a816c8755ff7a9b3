import { and, eq, gt, isNotNull, lt } from 'drizzle-orm'
import { randomInt } from 'node:crypto'
import type { Database, Queryable } from '../database/database.ts'
import { commandLineCodes, deviceGrants } from '../database/schema.ts'
import { hashSecret, newSecret } from './secrets.ts'

const CODE_SECONDS = 600
export const DEVICE_SECONDS = 600
export const POLL_SECONDS = 5

/** No vowels, so that no words come out, and nothing that looks like something else. */
const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const USER_CODE_LENGTH = 8

const inSeconds = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000)

/** A code that works once, within ten minutes. */
export async function addCommandLineCode(database: Queryable, userId: string, now: Date): Promise<string> {
  const code = newSecret()
  await database.delete(commandLineCodes).where(lt(commandLineCodes.expiresAt, now))
  await database
    .insert(commandLineCodes)
    .values({ codeHash: hashSecret(code), userId, expiresAt: inSeconds(now, CODE_SECONDS) })
  return code
}

/** Whose code it is. Removes it. */
export async function takeCommandLineCode(database: Queryable, code: string, now: Date): Promise<string | null> {
  const [taken] = await database
    .delete(commandLineCodes)
    .where(eq(commandLineCodes.codeHash, hashSecret(code)))
    .returning()
  return taken && taken.expiresAt > now ? taken.userId : null
}

export async function beginDeviceGrant(
  database: Queryable,
  asked: { program: string; address: string },
  now: Date,
): Promise<{ deviceCode: string; userCode: string }> {
  const deviceCode = newSecret()
  const letters = Array.from(
    { length: USER_CODE_LENGTH },
    () => USER_CODE_LETTERS[randomInt(USER_CODE_LETTERS.length)]!,
  ).join('')
  await database.delete(deviceGrants).where(lt(deviceGrants.expiresAt, now))
  await database.insert(deviceGrants).values({
    deviceHash: hashSecret(deviceCode),
    userCodeHash: hashSecret(letters),
    ...asked,
    intervalSeconds: POLL_SECONDS,
    expiresAt: inSeconds(now, DEVICE_SECONDS),
  })
  return { deviceCode, userCode: `${letters.slice(0, 4)}-${letters.slice(4)}` }
}

export async function findDeviceGrant(database: Queryable, userCode: string, now: Date) {
  const [grant] = await database.select().from(deviceGrants).where(isWaiting(userCode, now))
  return grant ?? null
}

/** Lets the program in as `userId`, or turns it away. False when nothing waits with this code. */
export async function answerDeviceGrant(
  database: Queryable,
  userCode: string,
  userId: string | null,
  now: Date,
): Promise<boolean> {
  const answered = await database
    .update(deviceGrants)
    .set({ status: userId === null ? 'denied' : 'approved', userId })
    .where(isWaiting(userCode, now))
    .returning({ program: deviceGrants.program })
  return answered.length > 0
}

function isWaiting(userCode: string, now: Date) {
  return and(
    eq(deviceGrants.userCodeHash, hashSecret(userCode)),
    eq(deviceGrants.status, 'pending'),
    gt(deviceGrants.expiresAt, now),
  )
}

export type DevicePoll =
  | { userId: string; program: string }
  | { error: 'authorization_pending' | 'slow_down' | 'access_denied' | 'expired_token' }

/** What the waiting program is told. An approved grant is given out once. */
export async function pollDeviceGrant(database: Database, deviceCode: string, now: Date): Promise<DevicePoll> {
  return database.transaction(async (tx) => {
    const isThis = eq(deviceGrants.deviceHash, hashSecret(deviceCode))
    const [grant] = await tx.select().from(deviceGrants).where(isThis).for('update')
    if (!grant || grant.expiresAt <= now) return { error: 'expired_token' }
    if (grant.status === 'denied') return { error: 'access_denied' }
    if (grant.status === 'approved') {
      const [given] = await tx
        .delete(deviceGrants)
        .where(and(isThis, isNotNull(deviceGrants.userId)))
        .returning()
      return given?.userId ? { userId: given.userId, program: given.program } : { error: 'expired_token' }
    }
    const isTooSoon = grant.polledAt !== null && now < inSeconds(grant.polledAt, grant.intervalSeconds)
    const intervalSeconds = grant.intervalSeconds + (isTooSoon ? POLL_SECONDS : 0)
    await tx.update(deviceGrants).set({ polledAt: now, intervalSeconds }).where(isThis)
    return { error: isTooSoon ? 'slow_down' : 'authorization_pending' }
  })
}

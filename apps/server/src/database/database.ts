import { DrizzleQueryError } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { DatabaseError } from 'pg'
import type { Pool, PoolConfig } from 'pg'
import * as schema from './schema.ts'
import { SelfReleasingPool } from './selfReleasingPool.ts'

export type Database = NodePgDatabase<typeof schema>
/** What the callback of `database.transaction` is given. Queries take either. */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]
export type Queryable = Database | Transaction

export interface DatabaseConnection {
  database: Database
  /** Where the pool connects to, for connections outside of it. */
  target: PoolConfig
  pool: Pool
  close(): Promise<void>
}

/** Opens a pool of connections. `onError` hears of idle connections that broke; the pool replaces them by itself. */
export function openDatabase(target: PoolConfig, onError: (error: Error) => void): DatabaseConnection {
  // Whoever waits longer than this for a connection is told so, which also ends a wait that would never end.
  const pool = new SelfReleasingPool({ max: 16, connectionTimeoutMillis: 10_000, ...target })
  let isClosing = false
  pool.on('error', (error) => {
    // Connections that are let go may be ended from the other side first.
    if (isClosing) return
    // The pool hangs the whole connection on it, which is no part of what happened.
    Reflect.deleteProperty(error, 'client')
    onError(error)
  })
  // Between the statements of a transaction nobody listens to a connection that breaks. The next statement on it says that it is broken.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const close = () => {
    isClosing = true
    return pool.end()
  }
  return { database: drizzle(pool, { schema }), target, pool, close }
}

/** The SQLSTATE of a failed query, also when the query layer wrapped it. */
export function sqlState(error: unknown): string | null {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current instanceof DatabaseError) return current.code ?? null
  }
  return null
}

export const UNIQUE_VIOLATION = '23505'

/** Text with a NUL byte, a number that is too large, an id that is none: nothing that a row could hold. */
const unstorable: ReadonlySet<string> = new Set(['22021', '22P05', '22003', '22P02'])

/** Whether a query failed because of a value that the database can not hold, whatever the types of the request said about it. */
export function isUnstorable(error: unknown): boolean {
  return unstorable.has(sqlState(error) ?? '')
}

/** What a server that is away, starting, stopping or full answers, and what its socket says when nobody listens. */
const unavailable: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  '08006',
  '53300',
  '57P01',
  '57P02',
  '57P03',
])

const brokenConnection =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client (?:has encountered a connection error|was closed) and is not queryable)/

/** Whether a query failed because the database can not be reached, and may work when it is tried again. */
export function isDatabaseAway(error: unknown): boolean {
  // What a connection that stands says when it breaks counts only behind a query: other sockets say the same.
  let isQuery = false
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current instanceof DrizzleQueryError) isQuery = true
    const isConnection = current instanceof DatabaseError || ('syscall' in current && current.syscall === 'connect')
    if ((isQuery || isConnection) && 'code' in current && unavailable.has(current.code)) return true
    if (brokenConnection.test(current.message)) return true
  }
  return false
}

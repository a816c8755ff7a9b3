import { and, asc, eq, gt, inArray, lte } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { Database, Queryable } from '../database/database.ts'
import { branchConnections, branches } from '../database/schema.ts'
import type { BranchConnection } from '../outbox/domainEvents.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import { personColor } from './personColor.ts'
import { findBranch } from './projects.ts'

/** How often a server process says that its connections are there, and how long that counts. */
const ROUND_MS = 30_000
const SILENCE_MS = 3 * ROUND_MS
/** What every client that comes by the edge is to others: which program it is, only its dev server hears. */
const APP_ID = 'boxyard-editor'

interface Held {
  id: string
  branchId: string
  userId: string | null
  openedAt: Date
  /** Whether it is the box of a branch, and has a row. */
  recorded: boolean
  /** Grows by what is done to its row, one after the other. */
  line: Promise<void>
}

export interface BranchConnectionsOptions {
  database: Database
  /** Hears of the box of a branch that its last client has left. */
  onEmpty: (boxId: string) => Promise<void>
  onError: (error: unknown, branchId: string) => void
}

/** Who has which branch open by this server process, kept where the other processes find it, and told to those who follow the repository. */
export class BranchConnections {
  readonly #options: BranchConnectionsOptions
  readonly #held = new Set<Held>()
  readonly #ending = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | undefined

  constructor(options: BranchConnectionsOptions) {
    this.#options = options
  }

  /** Remembers a client of a box for as long as its socket is open. Boxes that are no branches are passed over. */
  hold(boxId: string, userId: string | null, socket: Duplex): void {
    if (socket.destroyed) return
    const begun = { recorded: false, line: Promise.resolve() }
    const held: Held = { id: randomUUID(), branchId: boxId, userId, openedAt: new Date(), ...begun }
    this.#held.add(held)
    this.#timer ??= setInterval(() => void this.round(), ROUND_MS).unref()
    this.#then(held, () => this.#record(held))
    socket.once('close', () => {
      this.#held.delete(held)
      const isLast = ![...this.#held].some(({ branchId }) => branchId === boxId)
      this.#then(held, async () => {
        if (!held.recorded) return
        await this.#remove([held.id])
        if (isLast) await this.#options.onEmpty(boxId)
      })
      const ended = held.line.finally(() => this.#ending.delete(ended))
      this.#ending.add(ended)
    })
  }

  /** Says that the connections of this process are there, and forgets those that nobody spoke for. */
  async round(now = new Date()): Promise<void> {
    const { database, onError } = this.#options
    try {
      const ids = [...this.#held].map(({ id }) => id)
      const seen = await database
        .update(branchConnections)
        .set({ seenAt: now })
        .where(inArray(branchConnections.id, ids))
        .returning({ id: branchConnections.id })
      const known = new Set(seen.map(({ id }) => id))
      // Others thought that this process was gone.
      for (const held of this.#held) if (!known.has(held.id)) this.#then(held, () => this.#record(held))
      const silent = await database
        .select({ id: branchConnections.id })
        .from(branchConnections)
        .where(lte(branchConnections.seenAt, new Date(now.getTime() - SILENCE_MS)))
      await this.#remove(silent.map(({ id }) => id))
    } catch (error) {
      onError(error, '')
    }
  }

  /** Resolves when the rows of all sockets that were closed are gone. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all(this.#ending)
  }

  #then(held: Held, work: () => Promise<void>): void {
    held.line = held.line.then(work).catch((error: unknown) => this.#options.onError(error, held.branchId))
  }

  async #record(held: Held): Promise<void> {
    const { id, branchId, userId, openedAt } = held
    held.recorded = await inTransaction(this.#options.database, null, async (work) => {
      if (!(await lock(work, branchId))) {
        // The box of a devbox, which nobody follows this way, or of a branch that is gone.
        this.#held.delete(held)
        return false
      }
      const row = { id, branchId, userId, openedAt, seenAt: new Date() }
      await work.tx.insert(branchConnections).values(row).onConflictDoNothing()
      await tell(work, branchId)
      return true
    })
  }

  async #remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    const { database } = this.#options
    const rows = await database
      .select({ branchId: branchConnections.branchId })
      .from(branchConnections)
      .where(inArray(branchConnections.id, [...ids]))
    for (const branchId of new Set(rows.map((row) => row.branchId))) {
      await inTransaction(database, null, async (work) => {
        if (!(await lock(work, branchId))) return
        const own = and(eq(branchConnections.branchId, branchId), inArray(branchConnections.id, [...ids]))
        const gone = await work.tx.delete(branchConnections).where(own).returning({ id: branchConnections.id })
        if (gone.length > 0) await tell(work, branchId)
      })
    }
  }
}

/** The clients that have these branches open, in the order in which they came. */
export async function connectionsOf(
  database: Queryable,
  branchIds: readonly string[],
  now = new Date(),
): Promise<(BranchConnection & { branchId: string })[]> {
  const rows = await database
    .select()
    .from(branchConnections)
    .where(
      and(
        inArray(branchConnections.branchId, [...branchIds]),
        gt(branchConnections.seenAt, new Date(now.getTime() - SILENCE_MS)),
      ),
    )
    .orderBy(asc(branchConnections.openedAt), asc(branchConnections.id))
  return rows.map(({ id, branchId, userId, openedAt }) => ({
    branchId,
    appId: APP_ID,
    clientId: id,
    color: personColor(userId),
    timestamp: openedAt.toISOString(),
    userId,
  }))
}

/** Two who come or go at once do so one after the other, so that the last event has them both. False where there is no such branch. */
async function lock({ tx }: Work, branchId: string): Promise<boolean> {
  const found = await tx
    .select({ id: branches.id })
    .from(branches)
    .where(eq(branches.id, branchId))
    .for('no key update')
  return found.length > 0
}

async function tell({ tx, publish }: Work, branchId: string): Promise<void> {
  const { project } = (await findBranch(tx, branchId))!
  const connections = (await connectionsOf(tx, [branchId])).map(({ branchId: _branch, ...connection }) => connection)
  await publish('projectConnections', { owner: project.owner, repo: project.name, branchId, connections })
}

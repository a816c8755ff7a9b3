import { Client } from 'pg'
import type { ClientConfig } from 'pg'
import type { Logger } from '../logger.ts'
import type { EventHandler, PlatformEvent } from './platformEvent.ts'
import { EVENTS_CHANNEL } from './publishEvent.ts'

/** How the connection names itself in the database. */
export const EVENTS_APPLICATION = 'boxyard events'

const FIRST_RETRY_MS = 50
const LONGEST_RETRY_MS = 2000
const SWEEP_MS = 30_000
/** Nobody catches up from further back: a server that was away longer has no sockets left. */
const KEPT_MINUTES = 60

interface EventRow extends PlatformEvent {
  transaction: string
}

export interface EventFeedOptions {
  connection: ClientConfig
  handlers: readonly EventHandler[]
  log: Pick<Logger, 'info' | 'warn' | 'error'>
}

/**
 * Reads the events of all server processes from the database, in the order of their commits, and hands each to the handlers once.
 * When its connection breaks it opens another one and catches up. Events about the same subject are handled one after the other.
 */
export class EventFeed {
  readonly #options: EventFeedOptions
  readonly #lines = new Map<string, Promise<void>>()
  /** Handled events that a catch-up could see again, with their transactions. */
  readonly #handled = new Map<number, bigint>()
  #client: Client | null = null
  #announced: number[] = []
  #reading: Promise<void> | null = null
  /** Every transaction before this one has ended, and its events are handled. Null until the first connection. */
  #horizon: bigint | null = null
  /** What the horizon becomes with the next sweep: an announcement may come a moment after its transaction is seen as ended. */
  #nextHorizon: bigint | null = null
  #retry: NodeJS.Timeout | undefined
  #sweeper: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: EventFeedOptions) {
    this.#options = options
  }

  /** Resolves when events are listened to. */
  async start(): Promise<void> {
    await this.#connect()
    this.#sweeper = setInterval(() => void this.#sweep(), SWEEP_MS)
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#retry)
    clearInterval(this.#sweeper)
    const client = this.#client
    this.#client = null
    await client?.end()
    await this.#reading
    await Promise.all(this.#lines.values())
  }

  async #connect(): Promise<void> {
    const client = new Client({ ...this.#options.connection, application_name: EVENTS_APPLICATION })
    client.on('notification', ({ payload }) => this.#announce(client, Number(payload)))
    const lost = (error?: Error) => this.#lost(client, error)
    client.on('error', lost)
    client.on('end', () => lost())
    this.#client = client
    await client.connect()
    await client.query(`listen ${EVENTS_CHANNEL}`)
    await this.#catchUp(client)
  }

  #lost(client: Client, error?: Error): void {
    if (this.#client !== client) return
    this.#client = null
    client.end().catch(() => undefined)
    if (this.#closed) return
    this.#options.log.warn({ err: error }, 'events are not heard; connecting again')
    this.#reconnect(FIRST_RETRY_MS)
  }

  #reconnect(delay: number): void {
    this.#retry = setTimeout(() => {
      this.#connect().then(
        () => this.#options.log.info('events are heard again'),
        (error: unknown) => {
          const failed = this.#client
          this.#client = null
          failed?.end().catch(() => undefined)
          if (this.#closed) return
          this.#options.log.warn({ err: error }, 'events are still not heard')
          this.#reconnect(Math.min(delay * 2, LONGEST_RETRY_MS))
        },
      )
    }, delay)
  }

  #announce(client: Client, id: number): void {
    if (this.#client !== client) return
    this.#announced.push(id)
    this.#reading ??= this.#readAnnounced(client).finally(() => (this.#reading = null))
  }

  async #readAnnounced(client: Client): Promise<void> {
    try {
      // What is announced meanwhile is read in one go with the next query.
      while (this.#announced.length > 0 && this.#client === client) {
        const ids = this.#announced.splice(0, 500)
        const rows = await this.#query(client, 'where id = any($1)', [ids])
        const byId = new Map(rows.map((row) => [row.id, row]))
        for (const id of ids) {
          const row = byId.get(id)
          if (row) this.#hand(row)
        }
      }
    } catch (error) {
      this.#lost(client, error instanceof Error ? error : undefined)
    }
  }

  /** Hands over what was committed while nobody listened. */
  async #catchUp(client: Client): Promise<void> {
    const now = await this.#currentHorizon(client)
    if (this.#horizon !== null) {
      const missed = await this.#query(client, 'where transaction >= $1::xid8 order by id', [String(this.#horizon)])
      for (const row of missed) this.#hand(row)
    }
    this.#horizon ??= now
    this.#nextHorizon = now
  }

  /** Forgets what no catch-up can ask for again, here and in the table. */
  async #sweep(): Promise<void> {
    const client = this.#client
    if (!client) return
    try {
      const now = await this.#currentHorizon(client)
      this.#horizon = this.#nextHorizon
      this.#nextHorizon = now
      for (const [id, transaction] of this.#handled) if (transaction < this.#horizon!) this.#handled.delete(id)
      await client.query('delete from events where inserted_at < now() - make_interval(mins => $1)', [KEPT_MINUTES])
    } catch (error) {
      this.#lost(client, error instanceof Error ? error : undefined)
    }
  }

  async #currentHorizon(client: Client): Promise<bigint> {
    const { rows } = await client.query<{ horizon: string }>(
      'select pg_snapshot_xmin(pg_current_snapshot())::text as horizon',
    )
    return BigInt(rows[0]!.horizon)
  }

  async #query(client: Client, condition: string, values: unknown[]): Promise<EventRow[]> {
    const { rows } = await client.query<Omit<EventRow, 'id'> & { id: string }>(
      `select id, type, subject, data, transaction::text as transaction from events ${condition}`,
      values,
    )
    return rows.map((row) => ({ ...row, id: Number(row.id) }))
  }

  #hand({ transaction, ...event }: EventRow): void {
    if (this.#handled.has(event.id)) return
    this.#handled.set(event.id, BigInt(transaction))
    const before = this.#lines.get(event.subject) ?? Promise.resolve()
    const line = before
      .then(() => Promise.all(this.#options.handlers.map((handler) => this.#run(handler, event))))
      .then(() => {
        if (this.#lines.get(event.subject) === line) this.#lines.delete(event.subject)
      })
    this.#lines.set(event.subject, line)
  }

  async #run(handler: EventHandler, event: PlatformEvent): Promise<void> {
    try {
      await handler(event)
    } catch (error) {
      this.#options.log.error({ err: error, event: event.id, type: event.type }, 'an event was not delivered')
    }
  }
}

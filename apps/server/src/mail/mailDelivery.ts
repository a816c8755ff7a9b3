import { and, asc, desc, eq, isNull, lte, sql } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import { outbox } from '../database/schema.ts'
import type { Logger } from '../logger.ts'
import type { MailKind, Mails } from '../outbox/mails.ts'
import { composeMail } from './composeMail.ts'
import { writeMail } from './writeMail.ts'
import type { WrittenMail } from './writeMail.ts'

const ROUND_MS = 2000
const MOST_ATTEMPTS = 10
const FIRST_WAIT_MS = 30_000
const LONGEST_WAIT_MS = 6 * 3_600_000
const LONGEST_FAILURE = 500

/** Hands mails on. `id` stays the same when a mail is tried again, so that its receiver can tell. */
export interface MailTransport {
  send(mail: WrittenMail & { id: string }): Promise<void>
  close(): void
}

export interface MailDeliveryOptions {
  database: Database
  appOrigin: string
  /** Null where no mail server is set up: mails stay, and administrators read them. */
  transport: MailTransport | null
  log: Pick<Logger, 'warn' | 'error'>
}

/** A mail that has not left. */
export interface WaitingMail extends WrittenMail {
  id: number
  kind: string
  insertedAt: Date
  attempts: number
  failure: string | null
}

/** Sends the mails of the outbox. Several servers share the work; a mail is sent again when it is not certain that it left. */
export class MailDelivery {
  readonly #options: MailDeliveryOptions
  #timer: NodeJS.Timeout | undefined
  #round: Promise<unknown> = Promise.resolve()

  constructor(options: MailDeliveryOptions) {
    this.#options = options
  }

  start(): void {
    if (!this.#options.transport) return
    this.#timer = setInterval(() => {
      this.#round = this.#round
        .then(() => this.deliverDue())
        .catch((error: unknown) => {
          this.#options.log.error({ err: error }, 'mails could not be looked at; tried again soon')
        })
    }, ROUND_MS)
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#round
    this.#options.transport?.close()
  }

  /** Sends what is due now, one after the other. Returns how many mails were dealt with. */
  async deliverDue(now = new Date()): Promise<number> {
    let count = 0
    while (await this.#deliverNext(now)) count += 1
    return count
  }

  /** What waits, the newest first, as its readers would get it. */
  async waiting(limit: number): Promise<WaitingMail[]> {
    const { database, appOrigin } = this.#options
    const rows = await database
      .select()
      .from(outbox)
      .where(and(eq(outbox.channel, 'mail'), isNull(outbox.doneAt)))
      .orderBy(desc(outbox.id))
      .limit(limit)
    const mails: WaitingMail[] = []
    for (const { id, name, payload, insertedAt, attempts, failure } of rows) {
      const letter = await composeMail(name as MailKind, payload as unknown as Mails[MailKind], { database, appOrigin })
      if (letter) mails.push({ id, kind: name, insertedAt, attempts, failure, ...writeMail(letter) })
    }
    return mails
  }

  async #deliverNext(now: Date): Promise<boolean> {
    const { database, appOrigin, transport, log } = this.#options
    if (!transport) return false
    return database.transaction(async (tx) => {
      const [row] = await tx
        .select()
        .from(outbox)
        .where(and(eq(outbox.channel, 'mail'), isNull(outbox.doneAt), lte(outbox.nextAttemptAt, now)))
        .orderBy(asc(outbox.id))
        .limit(1)
        .for('update', { skipLocked: true })
      if (!row) return false
      const done = (failure: string | null) =>
        tx.update(outbox).set({ doneAt: now, failure }).where(eq(outbox.id, row.id))
      try {
        const kind = row.name as MailKind
        const letter = await composeMail(kind, row.payload as unknown as Mails[MailKind], { database: tx, appOrigin })
        if (letter && letter.to.length > 0) await transport.send({ ...writeMail(letter), id: String(row.id) })
        await done(null)
      } catch (error) {
        const failure = (error instanceof Error ? error.message : String(error)).slice(0, LONGEST_FAILURE)
        log.warn({ err: error, mail: row.id, kind: row.name }, 'a mail did not leave')
        if (row.attempts + 1 >= MOST_ATTEMPTS) {
          await done(failure)
          return true
        }
        const wait = Math.min(FIRST_WAIT_MS * 2 ** row.attempts, LONGEST_WAIT_MS)
        await tx
          .update(outbox)
          .set({ attempts: sql`${outbox.attempts} + 1`, nextAttemptAt: new Date(now.getTime() + wait), failure })
          .where(eq(outbox.id, row.id))
      }
      return true
    })
  }
}

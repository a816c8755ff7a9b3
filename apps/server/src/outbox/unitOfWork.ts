import { sql } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import type { User } from '../accounts/users.ts'
import type { Database, Transaction } from '../database/database.ts'
import { auditEntries, outbox } from '../database/schema.ts'
import { publishEvent } from '../events/publishEvent.ts'
import type { DomainEventName, DomainEvents } from './domainEvents.ts'
import { eventSubject } from './eventSubject.ts'
import type { MailKind, Mails } from './mails.ts'

/** What an audit entry is about. */
export interface AuditSubject {
  teamId?: string | null
  sandboxId?: string | null
  /** Whom it happened to. */
  userId?: string | null
  detail?: Record<string, unknown>
}

/** What a command does its work with: one transaction, and what leaves when it has committed. */
export interface Work {
  tx: Transaction
  /** Who does it; null for the server itself. */
  actorId: string | null
  publish<Name extends DomainEventName>(name: Name, payload: DomainEvents[Name]): Promise<void>
  mail<Kind extends MailKind>(kind: Kind, payload: Mails[Kind]): Promise<void>
  /** For whatever changes access, membership, secrets or the bill. `action` reads like `member.removed`. */
  audit(action: string, subject: AuditSubject): Promise<void>
}

/** Runs a command: its changes, events, mails and audit entries are committed together or not at all. */
export function inTransaction<T>(
  database: Database,
  actor: Pick<User, 'id'> | null,
  command: (work: Work) => Promise<T>,
): Promise<T> {
  return database.transaction((tx) => command(createWork(tx, actor?.id ?? null)))
}

export function createWork(tx: Transaction, actorId: string | null): Work {
  return {
    tx,
    actorId,
    async publish(name, payload) {
      await publishEvent(tx, { type: name, subject: eventSubject(name, payload), data: { ...payload } })
    },
    async mail(kind, payload) {
      await tx.insert(outbox).values({ channel: 'mail', name: kind, payload: { ...payload } })
    },
    async audit(action, { teamId, sandboxId, userId, detail }) {
      // What happens to a sandbox is in the log of its workspace.
      const ofSandbox = sandboxId == null ? null : sql`(select team_id from sandboxes where id = ${sandboxId})`
      const entry = { action, teamId: teamId ?? ofSandbox, sandboxId, userId, detail }
      await tx.insert(auditEntries).values({ id: randomUUID(), actorId, ...entry })
    },
  }
}

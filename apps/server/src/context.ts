import type { SessionSockets } from './accounts/sessionSockets.ts'
import type { PoolConfig } from 'pg'
import type { StripePayments } from './billing/stripePayments.ts'
import type { Configuration } from './configuration.ts'
import type { Database } from './database/database.ts'
import type { Health } from './health.ts'
import type { EventHandler } from './events/platformEvent.ts'
import type { Gateway } from './http/gateway.ts'
import type { Logger } from './logger.ts'
import type { PackageRegistries } from './packageRegistries.ts'
import type { Sealer } from './tokens/sealer.ts'
import type { Tokens } from './tokens/tokens.ts'
import type { UploadStore } from './uploads/uploadStore.ts'

/** What the composition root hands to every domain. */
export interface ServerContext {
  configuration: Configuration
  database: Database
  /** For what needs a connection of its own. */
  connection: PoolConfig
  /** Each is told every event of the platform. A domain adds its own while the server is built. */
  eventHandlers: EventHandler[]
  gateway: Gateway
  health: Health
  log: Logger
  /** Null: plans are kept on the server's own ledger. */
  payments: StripePayments | null
  registries: PackageRegistries
  sealer: Sealer
  /** Of the commands on this machine. */
  operatorToken: string
  /** Cuts connections when the session that opened them ends. */
  sessionSockets: SessionSockets
  tokens: Tokens
  uploads: UploadStore
}

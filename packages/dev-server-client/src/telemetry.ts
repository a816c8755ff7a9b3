import type { Disconnect } from './api.ts'

/** What happens to a connection, for whoever measures. It carries no content. */
export type ConnectionTelemetry =
  | {
      kind: 'disconnect'
      reason: string
      code: number | undefined
      wasClean: boolean
      /** The host or the dev server said that there is no such box. */
      wasNotFound: boolean
    }
  | {
      kind: 'reconnect'
      outcome: 'success' | 'failure'
      attempts: number
      disconnectReason: string
      secondsSinceActivity: number
      secondsSinceFocus: number
      secondsSinceDisconnect: number
    }
  | { kind: 'instance-change'; outcome: 'success' | 'failure'; from: string | undefined; to: string | undefined }

export function disconnectTelemetry({ reason, code, wasClean }: Disconnect): ConnectionTelemetry {
  return { kind: 'disconnect', reason, code, wasClean, wasNotFound: /not found/i.test(reason) }
}

export function reconnectTelemetry(options: {
  outcome: 'success' | 'failure'
  attempts: number
  disconnect: Disconnect
  now: number
  lastActivityAt: number
  lastFocusAt: number
}): ConnectionTelemetry {
  const { outcome, attempts, disconnect, now, lastActivityAt, lastFocusAt } = options
  const seconds = (since: number): number => Math.max(0, now - since) / 1000
  return {
    kind: 'reconnect',
    outcome,
    attempts,
    disconnectReason: disconnect.reason,
    secondsSinceActivity: seconds(lastActivityAt),
    secondsSinceFocus: seconds(lastFocusAt),
    secondsSinceDisconnect: seconds(disconnect.disconnectedAt),
  }
}

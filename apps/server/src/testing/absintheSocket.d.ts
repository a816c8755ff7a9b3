/** The published client has no types of its own. */
declare module '@absinthe/socket' {
  import type { Socket } from 'phoenix'

  export interface AbsintheSocket {
    phoenixSocket: Socket
  }
  export interface Notifier {
    subscriptionId?: string
  }
  export interface Observer {
    onStart?: (notifier: Notifier) => void
    onResult?: (result: { data?: unknown; errors?: readonly { message: string }[] }) => void
    onAbort?: (error: Error) => void
    onCancel?: () => void
    onError?: (error: Error) => void
  }
  export function create(socket: Socket): AbsintheSocket
  export function send(socket: AbsintheSocket, request: { operation: string; variables?: object }): Notifier
  export function observe(socket: AbsintheSocket, notifier: Notifier, observer: Observer): Notifier
  export function cancel(socket: AbsintheSocket, notifier: Notifier): AbsintheSocket
}

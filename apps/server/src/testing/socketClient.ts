import * as absinthe from '@absinthe/socket'
import { Socket } from 'phoenix'
import { WebSocket } from 'ws'
import type { TestBrowser } from './browser.ts'
import type { TestServer } from './server.ts'

export type SubscriptionResult = { data?: unknown; errors?: readonly { message: string }[] }

/** What came of one subscription, in order. */
export interface Following {
  results: SubscriptionResult[]
  /** Resolves with the next result that nobody took yet. */
  next(): Promise<SubscriptionResult>
  cancel(): void
}

export interface SocketClient {
  phoenix: Socket
  /** Resolves when the server accepted the subscription; rejects when it did not. */
  follow(operation: string, variables?: object): Promise<Following>
  /** Sends a query or a mutation over the socket. */
  send(operation: string, variables?: object): Promise<SubscriptionResult>
  close(): void
}

/** The unmodified clients of Phoenix and Absinthe, connected as the person of `browser`. */
export async function connectSocket(
  server: Pick<TestServer, 'origin' | 'port'>,
  browser: TestBrowser,
): Promise<SocketClient> {
  const { body } = await browser.call('GET', '/api/v1/auth/jwt')
  const { jwt } = (body as { data: { jwt: string } }).data
  const phoenix = new Socket(`ws://127.0.0.1:${server.port}/socket`, {
    params: { guardian_token: jwt },
    heartbeatIntervalMs: 10_000,
    transport: transportTo(server) as never,
  })
  const socket = absinthe.create(phoenix)

  const observe = (operation: string, variables: object | undefined, observer: absinthe.Observer) => {
    const notifier = absinthe.send(socket, variables ? { operation, variables } : { operation })
    absinthe.observe(socket, notifier, observer)
    return notifier
  }
  return {
    phoenix,
    send: (operation, variables) =>
      new Promise((resolve, reject) => {
        observe(operation, variables, { onResult: resolve, onAbort: reject, onError: reject })
      }),
    follow: (operation, variables) =>
      new Promise((resolve, reject) => {
        const results: SubscriptionResult[] = []
        const waiting: ((result: SubscriptionResult) => void)[] = []
        let taken = 0
        const notifier = observe(operation, variables, {
          onResult(result) {
            results.push(result)
            const next = waiting.shift()
            if (!next) return
            taken += 1
            next(result)
          },
          onStart: () => resolve(following),
          onAbort: reject,
          onError: reject,
        })
        const following: Following = {
          results,
          next() {
            if (taken < results.length) return Promise.resolve(results[taken++]!)
            return new Promise((take) => waiting.push(take))
          },
          cancel: () => void absinthe.cancel(socket, notifier),
        }
      }),
    close: () => phoenix.disconnect(),
  }
}

/** A WebSocket that names the app's host, which need not resolve on this machine. */
export function transportTo({ origin }: Pick<TestServer, 'origin'>) {
  return class extends WebSocket {
    constructor(address: string) {
      super(address, { headers: { host: new URL(origin).host, origin } })
    }
  }
}

import type { Duplex } from 'node:stream'
import { stillOpen } from '@boxyard/boxes'
import { classify, decode, encode } from '@boxyard/protocol'
import { WebSocket } from 'ws'

/**
 * Joins a box as the platform, asks one thing and leaves. `connection` is an open connection to the dev server, `token` a box token.
 * Rejects when it is refused, or when the connection ends before the answer.
 */
export function askDevServer(connection: Duplex, token: string, method: string, params: unknown): Promise<unknown> {
  const socket = new WebSocket(`ws://dev-server/?token=${token}`, {
    createConnection: () => stillOpen(connection),
    perMessageDeflate: false,
  })
  return new Promise<unknown>((resolve, reject) => {
    const send = (id: number, name: string, value: unknown) => socket.send(encode({ id, method: name, params: value }))
    socket.on('open', () => {
      const clientInfo = { protocolVersion: '0', appId: 'platform' }
      send(0, 'client/join', { clientInfo, asyncProgress: false, subscriptions: {} })
    })
    socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) return
      try {
        const { kind, message } = classify(decode(data))
        if (kind === 'error') throw new Error(`The dev server refused ${message.method}: ${message.error.message}`)
        if (kind !== 'result') return
        if (message.id === 0) send(1, method, params)
        else resolve(message.result)
      } catch (error) {
        reject(error as Error)
      }
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`The dev server went away before it answered ${method}`)))
  }).finally(() => socket.close())
}

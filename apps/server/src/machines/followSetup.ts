import type { Duplex } from 'node:stream'
import { stillOpen } from '@boxyard/boxes'
import { classify, decode, encode, setupProgressSchema } from '@boxyard/protocol'
import type { SetupProgress } from '@boxyard/protocol'
import { WebSocket } from 'ws'

/**
 * Joins a box as the platform and follows its set-up until it finished or stopped. Rejects when the connection ends before. `connection`
 * is an open connection to the dev server, `token` a box token.
 */
export function followSetup(
  connection: Duplex,
  token: string,
  onProgress: (progress: SetupProgress) => void,
): Promise<SetupProgress> {
  const socket = new WebSocket(`ws://dev-server/?token=${token}`, {
    createConnection: () => stillOpen(connection),
    perMessageDeflate: false,
  })
  return new Promise<SetupProgress>((resolve, reject) => {
    const send = (id: number, method: string, params: unknown) => socket.send(encode({ id, method, params }))
    const take = (value: unknown) => {
      const progress = setupProgressSchema.parse(value)
      onProgress(progress)
      if (progress.state === 'FINISHED' || progress.state === 'STOPPED') resolve(progress)
    }
    socket.on('open', () => {
      send(0, 'client/join', {
        clientInfo: { protocolVersion: '0', appId: 'platform' },
        asyncProgress: false,
        subscriptions: { setup: { progress: true } },
      })
    })
    socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) return
      try {
        const { kind, message } = classify(decode(data))
        if (kind === 'error') throw new Error(`The dev server refused ${message.method}: ${message.error.message}`)
        if (kind === 'result' && message.id === 0) send(1, 'setup/get', {})
        else if (kind === 'result') take(message.result)
        else if (message.method === 'setup/progress') take(message.params)
      } catch (error) {
        reject(error as Error)
      }
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('The dev server went away during the set-up')))
  }).finally(() => socket.close())
}

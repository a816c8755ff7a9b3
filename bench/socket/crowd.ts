import { once } from 'node:events'
import type { WebSocket } from 'ws'

const AT_ONCE = 50

/** Many sockets that listen. Resolves with them when each was made ready. */
export async function gather(
  size: number,
  open: () => WebSocket,
  makeReady: (socket: WebSocket) => Promise<void> = async () => undefined,
): Promise<WebSocket[]> {
  const crowd: WebSocket[] = []
  while (crowd.length < size) {
    const more = await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, size - crowd.length) }, async () => {
        const socket = open()
        await once(socket, 'open')
        await makeReady(socket)
        return socket
      }),
    )
    crowd.push(...more)
  }
  return crowd
}

/** The milliseconds from the call of `send` until every socket got the text. */
export async function untilAllHear(crowd: readonly WebSocket[], text: string, send: () => unknown): Promise<number> {
  const heard = crowd.map(
    (socket) =>
      new Promise<void>((resolve) => {
        const listen = (data: WebSocket.RawData) => {
          if (!String(data).includes(text)) return
          socket.off('message', listen)
          resolve()
        }
        socket.on('message', listen)
      }),
  )
  const start = performance.now()
  await Promise.all([send(), ...heard])
  return performance.now() - start
}

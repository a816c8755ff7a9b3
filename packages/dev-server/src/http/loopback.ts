import { connect, type Socket } from 'node:net'

/** Servers that listen on `localhost` may have taken only one of the two. */
const loopbackAddresses = ['127.0.0.1', '::1'] as const

/** Connects to a port on the loopback interface. Rejects when nothing listens. */
export async function connectLoopback(port: number): Promise<Socket> {
  let refused: unknown
  for (const host of loopbackAddresses) {
    try {
      return await connected(connect({ host, port, allowHalfOpen: true, noDelay: true }))
    } catch (error) {
      refused ??= error
    }
  }
  throw refused
}

export function connected(socket: Socket): Promise<Socket> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      resolve(socket)
    })
  })
}

import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import type { Log } from '../log.ts'
import { splice } from './splice.ts'

/** Where programs in the box find their HTTP proxy. */
export const EGRESS_RELAY_PORT = 16_380

/** Lets programs in the box, which only know TCP, reach the egress proxy's unix socket. */
export async function startEgressRelay(
  egressSocket: string,
  port: number,
  log: Log,
): Promise<{ port: number; stop: () => Promise<void> }> {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    splice(client, connect({ path: egressSocket, allowHalfOpen: true }))
  })
  await listen(server, port)
  server.on('error', (error) => log.error('The egress relay failed', error))
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: '127.0.0.1', port }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

import type net from 'node:net'
import type { Duplex } from 'node:stream'

/**
 * For `createConnection` of a request over a connection that is there already. Node waits for the end of that connection, so a request
 * over one that has ended before is never answered and never fails, not even when its signal is aborted.
 */
export function stillOpen(connection: Duplex): net.Socket {
  if (connection.destroyed) throw new Error('the connection had ended before anything was asked')
  return connection as net.Socket
}

export interface ListeningSocket {
  port: number
  /** Names the socket among the descriptors of its process. */
  inode: number
}

const LISTENING = '0A'

/**
 * Parses the kernel's table of TCP sockets (`/proc/net/tcp` and `/proc/net/tcp6`) and answers those that wait for connections on
 * the loopback or on every address: what a relay to 127.0.0.1 or ::1 can reach.
 */
export function parseListeningSockets(table: string): ListeningSocket[] {
  const sockets: ListeningSocket[] = []
  for (const line of table.split('\n').slice(1)) {
    const fields = line.trim().split(/\s+/)
    const [address, port] = fields[1]?.split(':') ?? []
    if (fields[3] !== LISTENING || address === undefined || port === undefined || !isReachable(address)) continue
    const number = Number.parseInt(port, 16)
    const inode = Number(fields[9])
    if (number >= 1 && number <= 65_535 && Number.isInteger(inode)) sockets.push({ port: number, inode })
  }
  return sockets
}

/** Addresses are printed as 32-bit words in the byte order of the machine, which is little-endian wherever boxes run. */
function isReachable(address: string): boolean {
  if (/^0+$/.test(address)) return true
  if (address.length === 8) return address.endsWith('7F')
  if (address === '00000000000000000000000001000000') return true
  const mapped = /^0{16}FFFF0000(.{8})$/.exec(address)
  return mapped !== null && isReachable(mapped[1]!)
}

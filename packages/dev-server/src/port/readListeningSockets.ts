import { readFile } from 'node:fs/promises'
import { parseListeningSockets } from './parseListeningSockets.ts'
import type { ListeningSocket } from './parseListeningSockets.ts'

/** Asks the kernel what listens, IPv4 and IPv6. A port that is open on both is answered once for each socket. */
export async function readListeningSockets(): Promise<ListeningSocket[]> {
  const tables = await Promise.all([readFile('/proc/net/tcp', 'latin1'), readIfThere('/proc/net/tcp6')])
  return tables.flatMap(parseListeningSockets)
}

/** A kernel without IPv6 has no table for it. */
async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, 'latin1')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

import type { ListeningSocket } from '../port/parseListeningSockets.ts'
import { processesOf, readProcesses, readSocketInodes } from '../system/processTable.ts'

/**
 * Finds which of the processes that `leaders` started holds each socket.
 *
 * @param leaders process ids of shells by an id of the caller's
 * @returns the id by port; ports of other processes are left out
 */
export async function findOpeners(
  sockets: readonly ListeningSocket[],
  leaders: ReadonlyMap<string, number>,
): Promise<Map<number, string>> {
  const openers = new Map<number, string>()
  if (sockets.length === 0 || leaders.size === 0) return openers
  const ports = new Map(sockets.map(({ inode, port }) => [inode, port]))
  const processes = await readProcesses()
  for (const [id, leader] of leaders) {
    for (const { pid } of processesOf(leader, processes)) {
      for (const inode of await readSocketInodes(pid)) {
        const port = ports.get(inode)
        if (port !== undefined) openers.set(port, id)
      }
    }
  }
  return openers
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { EgressService } from '@boxyard/packer'
import type { MachineUsage } from './machineService.ts'

const USAGE_PATH = '/machine/usage'

/** An answer is good for so long, */
const FRESH_MS = 4_000
/** and for so many times what measuring took: a disk is measured by walking its files, which must not become a load of its own. */
const SHARE = 50

/**
 * Tells a box what it takes and may take. What a box sees itself is the memory and the disk of the host. The socket it asks by is the box's
 * own: no box learns of another one.
 */
export function usageService(
  machines: { usageOf(boxId: string): Promise<MachineUsage | null> },
  now: () => number = () => performance.now(),
): EgressService {
  const known = new Map<string, { until: number; usage: Promise<MachineUsage | null> }>()

  const measure = async (boxId: string): Promise<MachineUsage | null> => {
    const start = now()
    try {
      const usage = await machines.usageOf(boxId)
      const end = now()
      const entry = known.get(boxId)
      if (entry) entry.until = end + Math.max(FRESH_MS, (end - start) * SHARE)
      return usage
    } catch (error) {
      known.delete(boxId)
      throw error
    }
  }

  const usageOf = (boxId: string): Promise<MachineUsage | null> => {
    for (const [id, { until }] of known) if (until <= now()) known.delete(id)
    const present = known.get(boxId)
    if (present) return present.usage
    const usage = measure(boxId)
    known.set(boxId, { until: Infinity, usage })
    return usage
  }

  return {
    path: USAGE_PATH,
    async answer(boxId, request: IncomingMessage, response: ServerResponse) {
      request.resume()
      const usage = request.method === 'GET' && request.url === USAGE_PATH ? await usageOf(boxId) : null
      if (usage === null) response.writeHead(404).end()
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(usage))
    },
  }
}

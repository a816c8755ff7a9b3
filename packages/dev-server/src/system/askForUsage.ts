import { z } from 'zod'
import { askPlatform } from './askPlatform.ts'
import type { Usage } from './readUsage.ts'

/** Where the platform tells what a box takes and may take, behind the socket of its egress. */
const USAGE_PATH = '/machine/usage'

const answerSchema = z.object({
  cores: z.number().positive().nullable(),
  memory_bytes: z.number().nonnegative(),
  memory_limit_bytes: z.number().positive().nullable(),
  disk_bytes: z.number().nonnegative(),
  disk_limit_bytes: z.number().positive(),
})

/** What the platform knows better than the box. */
export type ToldUsage = Partial<Usage>

/**
 * What a box sees of memory and disk is the host's, so the platform tells what of it is the box's. Undefined where it does not tell, as of a
 * machine with a kernel of its own, which sees its own memory and disk.
 */
export async function askForUsage(egressSocket: string): Promise<ToldUsage | undefined> {
  const { status, body } = await askPlatform(egressSocket, 'GET', USAGE_PATH)
  if (status === 404) return undefined
  if (status !== 200) throw new Error(`The platform answered ${status} when it was asked what this box takes`)
  const told = answerSchema.parse(JSON.parse(body), { jitless: true })
  return {
    ...(told.cores !== null && { cpuLimit: told.cores }),
    memoryBytes: told.memory_bytes,
    ...(told.memory_limit_bytes !== null && { memoryLimitBytes: told.memory_limit_bytes }),
    storageBytes: told.disk_bytes,
    storageLimitBytes: told.disk_limit_bytes,
  }
}

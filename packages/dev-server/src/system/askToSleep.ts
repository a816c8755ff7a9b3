import { ProtocolError } from '@boxyard/protocol'
import { askPlatform } from './askPlatform.ts'

/** Where the platform takes the wish of a box to sleep, behind the socket of its egress. */
const SLEEP_PATH = '/machine/hibernate'

/** Asks the platform to put this box to sleep. Resolves when it will: everybody is then sent away by it, as before any sleep. */
export async function askToSleep(egressSocket: string): Promise<void> {
  const { status } = await askPlatform(egressSocket, 'POST', SLEEP_PATH).catch((cause: unknown) => {
    throw new ProtocolError('CRITICAL_ERROR', notTaken, { reason: String(cause) })
  })
  if (status !== 202) throw new ProtocolError('CRITICAL_ERROR', notTaken, { status })
}

const notTaken =
  'The platform did not put this box to sleep. It goes on running and nothing is lost; try again in a moment.'

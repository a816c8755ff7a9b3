import { request } from 'node:http'
import { ProtocolError } from '@boxyard/protocol'

/** Where the platform takes the wish of a box to sleep, behind the socket of its egress. */
const SLEEP_PATH = '/machine/hibernate'
const DEADLINE_MS = 10_000

/** Asks the platform to put this box to sleep. Resolves when it will: everybody is then sent away by it, as before any sleep. */
export async function askToSleep(egressSocket: string): Promise<void> {
  const status = await new Promise<number>((resolve, reject) => {
    request(
      {
        socketPath: egressSocket,
        method: 'POST',
        path: SLEEP_PATH,
        headers: { host: 'boxyard', 'content-length': 0 },
        signal: AbortSignal.timeout(DEADLINE_MS),
      },
      (response) => {
        response.resume()
        response.once('end', () => resolve(response.statusCode ?? 0))
        response.once('error', reject)
      },
    )
      .once('error', reject)
      .end()
  }).catch((cause: unknown) => {
    throw new ProtocolError('CRITICAL_ERROR', notTaken, { reason: String(cause) })
  })
  if (status !== 202) throw new ProtocolError('CRITICAL_ERROR', notTaken, { status })
}

const notTaken =
  'The platform did not put this box to sleep. It goes on running and nothing is lost; try again in a moment.'

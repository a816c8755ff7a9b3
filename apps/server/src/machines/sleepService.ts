import type { IncomingMessage, ServerResponse } from 'node:http'
import type { EgressService } from '@boxyard/packer'
import type { Logger } from '../logger.ts'

const SLEEP_PATH = '/machine/hibernate'

/**
 * Takes the wish of a box to sleep, which its dev server sends when somebody who may asks for it. The socket it comes by is the box's own:
 * no box can put another one to sleep.
 */
export function sleepService(
  machines: { hibernate(boxId: string): Promise<void> },
  log: Pick<Logger, 'warn'>,
): EgressService {
  return {
    path: SLEEP_PATH,
    answer(boxId, request: IncomingMessage, response: ServerResponse) {
      request.resume()
      if (request.method !== 'POST' || request.url !== SLEEP_PATH) {
        response.writeHead(404).end()
        return Promise.resolve()
      }
      // Answered first: once the box sleeps nobody in it could read the answer.
      response.once('close', () => {
        machines
          .hibernate(boxId)
          .catch((error: unknown) => log.warn({ err: error, box: boxId }, 'a box that asked to sleep stays awake'))
      })
      response.writeHead(202, { connection: 'close' }).end()
      return Promise.resolve()
    },
  }
}

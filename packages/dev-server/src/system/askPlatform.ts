import { request } from 'node:http'

const DEADLINE_MS = 10_000

export interface PlatformAnswer {
  status: number
  body: string
}

/** Asks the platform for something that concerns this box alone, behind the socket of its egress. Rejects when nobody answers there. */
export function askPlatform(egressSocket: string, method: 'GET' | 'POST', path: string): Promise<PlatformAnswer> {
  return new Promise((resolve, reject) => {
    request(
      {
        socketPath: egressSocket,
        method,
        path,
        headers: { host: 'boxyard', 'content-length': 0 },
        signal: AbortSignal.timeout(DEADLINE_MS),
      },
      (response) => {
        let body = ''
        response.setEncoding('utf8').on('data', (part: string) => (body += part))
        response.once('end', () => resolve({ status: response.statusCode ?? 0, body }))
        response.once('error', reject)
      },
    )
      .once('error', reject)
      .end()
  })
}

import { request as httpRequest } from 'node:http'

export interface Answer {
  status: number
  text: string
}

/** One HTTP request to a port of this machine, whatever host it names. */
export function request(
  port: number,
  { body, ...options }: { method?: string; path: string; headers?: Record<string, string>; body?: string },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({ ...options, host: '127.0.0.1', port, agent: false }, (incoming) => {
      let text = ''
      incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      incoming.once('error', reject)
      incoming.once('end', () => resolve({ status: incoming.statusCode ?? 0, text }))
    })
    outgoing.once('error', reject)
    outgoing.end(body)
  })
}

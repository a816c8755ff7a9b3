import http from 'node:http'
import { z } from 'zod'
import type { BoxDriver } from '../driver.ts'
import { stillOpen } from '../stillOpen.ts'

const commandSchema = z.object({
  code: z.union([z.number(), z.string()]).nullable(),
  signal: z.string().nullable(),
  stdout: z.string(),
  stderr: z.string(),
})

/** Speaks to the stand-in dev server of a running box. */
export class BoxProbe {
  readonly #driver: BoxDriver
  readonly #id: string

  constructor(driver: BoxDriver, id: string) {
    this.#driver = driver
    this.#id = id
  }

  /** Runs a program in the box. */
  async run(command: string, ...args: string[]): Promise<z.infer<typeof commandSchema>> {
    return commandSchema.parse(JSON.parse(await this.#post('/run', { command, args })))
  }

  /** What a shell line prints; fails when it fails. */
  async sh(line: string): Promise<string> {
    const result = await this.run('sh', '-c', line)
    if (result.code !== 0) throw new Error(`${line} ended with ${result.code} ${result.signal}: ${result.stderr}`)
    return result.stdout.trim()
  }

  /** Sends a signal to the dev server, which ends by it. Resolves when the box has noticed. */
  async endDevServer(signal: 'KILL' | 'TERM'): Promise<void> {
    const ends = async (): Promise<number> =>
      ((await this.#driver.log(this.#id)).match(/The dev server ended/g) ?? []).length
    const before = await ends()
    await this.sh(`kill -${signal} $PPID; sleep 1000`).then(
      () => Promise.reject(new Error('the dev server answered after its end')),
      () => undefined,
    )
    while ((await ends()) === before) await new Promise((resolve) => setImmediate(resolve))
  }

  /** Sends a signal to the program that keeps the dev server running. */
  async endKeeper(signal: 'KILL' | 'TERM'): Promise<void> {
    await this.sh(`kill -${signal} $(cut -d' ' -f4 /proc/$PPID/stat)`)
  }

  async env(): Promise<Record<string, string>> {
    return z.record(z.string(), z.string()).parse(JSON.parse(await this.#post('/env', {})))
  }

  /** Serves `text` on a port inside the box. */
  async listen(port: number, text: string): Promise<void> {
    await this.#post('/listen', { port, text })
  }

  async #post(path: string, body: unknown): Promise<string> {
    const connection = await this.#driver.connect(this.#id)
    return request({ createConnection: () => stillOpen(connection), method: 'POST', path }, JSON.stringify(body))
  }
}

/** One HTTP request; the text of the answer. */
export function request(options: http.RequestOptions, body = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = http.request({ headers: { host: 'box', connection: 'close' }, ...options })
    outgoing.once('error', reject)
    outgoing.once('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.once('end', () => resolve(text))
      response.once('error', reject)
    })
    outgoing.end(body)
  })
}

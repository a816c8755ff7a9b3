import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { DevServerClient } from '@boxyard/dev-server-client'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { TestBrowser } from '../../apps/server/src/testing/browser.ts'
import { signUp } from '../../apps/server/src/testing/signUp.ts'
import { runProgram } from '../runProgram.ts'
import { freePort } from './freePort.ts'
import { request } from './request.ts'
import type { Answer } from './request.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const POLL_MS = 10

const dataOf = <S extends z.ZodType>(schema: S) => z.object({ data: schema })

/** The whole product as a person starts it, with an empty home of its own. */
export class BoxyardServer {
  readonly port: number
  /** The origin of the app. */
  readonly origin: string
  readonly #home: string
  readonly #token: string
  readonly #process: ChildProcess

  private constructor(port: number, home: string, token: string, process: ChildProcess) {
    this.port = port
    this.origin = `http://app.boxyard.localhost:${port}`
    this.#home = home
    this.#token = token
    this.#process = process
  }

  /** Builds what changed, starts the server and resolves when it is healthy. */
  static async start(): Promise<BoxyardServer> {
    await runProgram(process.execPath, ['scripts/build.mjs'], { cwd: root })
    const home = await mkdtemp(join(tmpdir(), 'boxyard-bench-home-'))
    const port = await freePort()
    const token = randomBytes(16).toString('hex')
    const child = spawn(process.execPath, ['apps/server/dist/main.js'], {
      cwd: root,
      env: {
        ...process.env,
        PORT: String(port),
        BOXYARD_HOME: home,
        BOXYARD_ADMIN_TOKEN: token,
        LOG_LEVEL: 'warn',
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    const server = new BoxyardServer(port, home, token, child)
    while (!(await server.#isHealthy())) {
      if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}`)
      await delay(50)
    }
    return server
  }

  /** Makes a devbox of the administrator from an official template; resolves with its id. */
  async createDevbox(template: string): Promise<string> {
    const made = await this.#call('POST', `/api/v1/sandboxes/${template}/fork`, { v2: true })
    return dataOf(z.object({ id: z.string() })).parse(made).data.id
  }

  /** Makes a sandbox without a machine from an official template; resolves with its id. */
  async createSandbox(template: string, teamId?: string): Promise<string> {
    const place = teamId === undefined ? {} : { team_id: teamId }
    const made = await this.#call('POST', `/api/v1/sandboxes/${template}/fork`, { v2: false, ...place })
    return dataOf(z.object({ id: z.string() })).parse(made).data.id
  }

  /** Makes a sandbox without a machine of these texts by path; resolves with its id. */
  async defineSandbox(texts: Readonly<Record<string, string>>): Promise<string> {
    const files = Object.fromEntries(Object.entries(texts).map(([path, content]) => [path, { content }]))
    const made = await this.#call('POST', '/api/v1/sandboxes/define?json=1', { files })
    return z.object({ sandbox_id: z.string() }).parse(made).sandbox_id
  }

  async publish(id: string): Promise<void> {
    await this.#call('PATCH', `/api/v1/sandboxes/${id}/privacy`, { sandbox: { privacy: 0 } })
  }

  /** What a request needs to be answered as one of the administrator. */
  get headers(): Record<string, string> {
    return {
      host: new URL(this.origin).host,
      authorization: `Bearer ${this.#token}`,
      'content-type': 'application/json',
    }
  }

  /** Where its PostgreSQL listens, for programs that work on the same data. */
  get databaseFolder(): string {
    return join(this.#home, 'postgres', 'socket')
  }

  /** Resolves when the dev server of the devbox answers, with how to join it. */
  async startDevbox(id: string): Promise<{ pitcher_url: string; pitcher_token: string; workspace_path: string }> {
    const answer = await this.#call('POST', `/api/vm/${id}/start`)
    const how = z.object({ pitcher_url: z.string(), pitcher_token: z.string(), workspace_path: z.string() })
    return dataOf(how).parse(answer).data
  }

  /** Joins the dev server of a devbox through the edge, as an editor does. */
  async joinDevbox(id: string): Promise<DevServerClient> {
    const { host } = new URL(this.origin)
    const client = new DevServerClient({
      appId: 'bench',
      resolveInstance: async () => {
        const answer = await this.startDevbox(id)
        return {
          id,
          url: answer.pitcher_url,
          token: answer.pitcher_token,
          workspacePath: answer.workspace_path,
          bootType: 'RUNNING',
        }
      },
      // Names below localhost are known to browsers, not to every system.
      createSocket: (url) => new WebSocket(url.replace(host, `127.0.0.1:${this.port}`), { headers: { host } }),
    })
    await client.connect()
    return client
  }

  async stopDevbox(id: string): Promise<void> {
    await this.#call('POST', `/api/vm/${id}/shutdown`)
  }

  /** Asks for the preview of a port again and again until the program behind it answers with a page. */
  async untilPreview(id: string, port: number): Promise<void> {
    const answer = await this.#call('GET', `/api/v1/auth/preview_token?sandbox_id=${id}`)
    const { token } = dataOf(z.object({ token: z.string() })).parse(answer).data
    const headers = { host: `${id}-${port}.preview.boxyard.localhost:${this.port}`, 'csb-preview-token': token }
    for (;;) {
      const { status, text } = await request(this.port, { path: '/', headers })
      if (status === 200 && text.includes('/@vite/client')) return
      await delay(POLL_MS)
    }
  }

  /** The value of a session cookie of the administrator, and the cookies that go with it. */
  async sessionCookies(): Promise<{ name: string; value: string }[]> {
    const answer = await this.#call('GET', '/api/v1/auth/auth-token')
    const { token } = dataOf(z.object({ token: z.string() })).parse(answer).data
    return [
      { name: '__Host-boxyard_session', value: token },
      { name: 'signedIn', value: 'true' },
    ]
  }

  /** The value of the one field that is asked for, as the administrator. */
  async graphql<S extends z.ZodType>(query: string, schema: S): Promise<z.infer<S>> {
    const answer = await this.#call('POST', '/api/graphql', { query })
    return Object.values(dataOf(z.record(z.string(), schema)).parse(answer).data)[0] as z.infer<S>
  }

  /** A new account, signed in like any other. */
  async signUp(login: string): Promise<TestBrowser> {
    const browser = new TestBrowser(this.origin, this.port)
    await signUp(browser, login)
    return browser
  }

  async renameSandbox(id: string, title: string): Promise<void> {
    await this.#call('PUT', `/api/v1/sandboxes/${id}`, { sandbox: { title } })
  }

  /** A token of the administrator for the real-time socket. */
  async socketToken(): Promise<string> {
    const answer = await this.#call('GET', '/api/v1/auth/jwt')
    return dataOf(z.object({ jwt: z.string() })).parse(answer).data.jwt
  }

  /** A connection to the real-time socket, as a client of Phoenix 1.3 or newer opens it. */
  openSocket(token: string): WebSocket {
    return new WebSocket(`ws://127.0.0.1:${this.port}/socket/websocket?guardian_token=${token}&vsn=2.0.0`, {
      headers: { host: new URL(this.origin).host },
      perMessageDeflate: false,
    })
  }

  /** What the server holds in memory, without what its children do. */
  async residentBytes(): Promise<number> {
    const status = await readFile(`/proc/${this.#process.pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) * 1024
  }

  async stop(): Promise<void> {
    const exited = once(this.#process, 'exit')
    this.#process.kill('SIGTERM')
    await exited
    await rm(this.#home, { recursive: true, force: true })
  }

  async #isHealthy(): Promise<boolean> {
    const answer = await this.#request('GET', '/api/health').catch(() => null)
    return answer?.status === 200
  }

  async #call(method: string, path: string, body?: unknown): Promise<unknown> {
    const { status, text } = await this.#request(method, path, body)
    if (status !== 200) throw new Error(`${method} ${path} answered ${status}: ${text}`)
    return JSON.parse(text)
  }

  #request(method: string, path: string, body?: unknown): Promise<Answer> {
    const content = body === undefined ? {} : { body: JSON.stringify(body) }
    return request(this.port, {
      method,
      path,
      headers: {
        host: new URL(this.origin).host,
        authorization: `Bearer ${this.#token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...content,
    })
  }
}

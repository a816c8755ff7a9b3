import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { connectLoopback } from '../http/loopback.ts'

const PORTS = { first: 50_000, last: 50_100 } as const
const PORT_WAIT_MS = 5000
/** How long hosts of extensions go on for somebody who is away, in seconds. */
const GRACE_SECONDS = 600

const runningSchema = z.object({ port: z.number().int().min(PORTS.first).max(PORTS.last), pid: z.number().int() })
const productSchema = z.object({ commit: z.string().min(1) })

/** What an editor needs to connect. */
export interface StartedVsCodeServer {
  port: number
  /** What the server asks of everybody who connects. */
  token: string
  /** The version that a client has to say it is. */
  commit: string
}

/** A start that failed, in words for the person who asked for it. */
export class VsCodeServerError extends Error {}

export interface VsCodeServerOptions {
  /** Folder for the token, the log and what runs; survives this process. */
  state: string
  home: string
  workspace: string
  environment: () => Readonly<Record<string, string>>
  portWaitMs?: number
}

/**
 * The VS Code server of the box, in which extensions of everybody who works in it run. There is one; it outlives the dev server, and goes on where
 * it was when another dev server takes over.
 */
export class VsCodeServer {
  readonly #options: VsCodeServerOptions
  #port: number | undefined
  #starting: Promise<StartedVsCodeServer> | undefined

  private constructor(options: VsCodeServerOptions, port: number | undefined) {
    this.#options = options
    this.#port = port
  }

  /** Finds what an earlier dev server started. */
  static async open(options: VsCodeServerOptions): Promise<VsCodeServer> {
    await mkdir(options.state, { recursive: true, mode: 0o700 })
    const content = await readFile(join(options.state, 'running.json'), 'utf8').catch(() => '')
    return new VsCodeServer(options, parsed(content, runningSchema)?.port)
  }

  /** The port that it listens on, or did: nobody's program, and not shown as one. */
  get port(): number | undefined {
    return this.#port
  }

  /**
   * Starts the server of `folder`, which has `server` and `node` in it, unless it runs already.
   * @throws VsCodeServerError
   */
  start(folder: string): Promise<StartedVsCodeServer> {
    this.#starting ??= this.#start(folder).finally(() => (this.#starting = undefined))
    return this.#starting
  }

  async #start(folder: string): Promise<StartedVsCodeServer> {
    const server = join(folder, 'server')
    const product = await readFile(join(server, 'product.json'), 'utf8').catch(() => '')
    const commit = parsed(product, productSchema)?.commit
    if (commit === undefined) throw new VsCodeServerError('Could not find product.json in VSCode server.')
    const known = await this.#token()
    if (known !== '' && this.#port !== undefined && (await answers(this.#port)))
      return { port: this.#port, token: known, commit }
    // Who had another one is told apart by its token.
    const token = randomBytes(24).toString('hex')
    await this.#write('token', token)
    const port = await freePort()
    this.#port = port
    await this.#run(folder, port)
    return { port, token, commit }
  }

  async #run(folder: string, port: number): Promise<void> {
    const { state, home, workspace, environment, portWaitMs = PORT_WAIT_MS } = this.#options
    const log = await open(join(state, 'server.log'), 'w', 0o600)
    try {
      const child = spawn(
        join(folder, 'node', 'bin', 'node'),
        [
          join(folder, 'server', 'out', 'server-main.js'),
          '--host=127.0.0.1',
          `--port=${port}`,
          `--connection-token-file=${join(state, 'token')}`,
          `--server-data-dir=${join(home, '.vscode-server')}`,
          `--reconnection-grace-time=${GRACE_SECONDS}`,
          '--accept-server-license-terms',
          '--telemetry-level=off',
        ],
        // It goes on when this process ends.
        { cwd: workspace, env: { ...environment() }, detached: true, stdio: ['ignore', log.fd, log.fd] },
      )
      const failed = new Promise<Error>((resolve) => {
        child.once('error', resolve)
        child.once('exit', (code, name) => resolve(new Error(`it ended with ${code ?? name}`)))
      })
      const end = Date.now() + portWaitMs
      while (!(await answers(port))) {
        const error = await Promise.race([failed, delay(50, undefined)])
        if (error) throw new VsCodeServerError(`${error.message}${await this.#lastWords()}`)
        if (Date.now() < end) continue
        child.kill('SIGKILL')
        throw new VsCodeServerError('Waiting for port timed out')
      }
      child.unref()
      await this.#write('running.json', JSON.stringify({ port, pid: child.pid }))
    } finally {
      await log.close()
    }
  }

  /** Of the server that was started last; empty before the first. Only who may read what is the box's own sees it. */
  #token(): Promise<string> {
    return readFile(join(this.#options.state, 'token'), 'utf8').catch(() => '')
  }

  async #write(name: string, content: string): Promise<void> {
    const path = join(this.#options.state, name)
    try {
      await writeFile(`${path}.new`, content, { mode: 0o600 })
      await rename(`${path}.new`, path)
    } catch (error) {
      throw new VsCodeServerError(`Failed to write to ${path}: ${(error as Error).message}.`, { cause: error })
    }
  }

  async #lastWords(): Promise<string> {
    const said = await readFile(join(this.#options.state, 'server.log'), 'utf8').catch(() => '')
    const last = said.trim().slice(-500)
    return last === '' ? '' : `: ${last}`
  }
}

function parsed<T>(content: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(content), { jitless: true }).data
  } catch {
    // Whatever else is there says nothing of a server.
    return undefined
  }
}

async function answers(port: number): Promise<boolean> {
  try {
    const socket = await connectLoopback(port)
    socket.destroy()
    return true
  } catch {
    // Nothing listens.
    return false
  }
}

async function freePort(): Promise<number> {
  for (let port: number = PORTS.first; port <= PORTS.last; port += 1) if (await isFree(port)) return port
  throw new VsCodeServerError(`No port between ${PORTS.first} and ${PORTS.last} is free`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}

import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DevServerClient } from '@boxyard/dev-server-client'
import type { DevServerClientOptions, Instance } from '@boxyard/dev-server-client'
import { BoxKeys } from './boxKeys.ts'
import { untilListening } from './untilListening.ts'
import { WebSocket } from 'ws'

const BOX = 'box1'
const EPOCH = 1

/** The dev server as boxes have it, bundled, in a process of its own without a box around it. */
export class DevServerProcess {
  readonly workspace: string
  readonly #root: string
  readonly #socket: string
  readonly #program: string
  readonly #environment: Record<string, string>
  readonly #keys: BoxKeys
  readonly #clients = new Set<DevServerClient>()
  #process: ChildProcess | undefined

  private constructor(root: string, program: string, keys: BoxKeys) {
    this.#root = root
    this.#program = program
    this.#keys = keys
    this.#socket = join(root, 'dev-server.sock')
    this.workspace = join(root, 'workspace')
    this.#environment = {
      PATH: process.env['PATH'] ?? '',
      HOME: join(root, 'home'),
      BOXYARD_BOX_ID: BOX,
      BOXYARD_EPOCH: String(EPOCH),
      BOXYARD_BOOT: 'CLEAN',
      BOXYARD_WORKSPACE: this.workspace,
      BOXYARD_STATE: join(root, 'state'),
      BOXYARD_SOCKET: this.#socket,
      ...keys.environment,
    }
  }

  /** `program` is the folder of `buildDevServer`. Nothing runs before `run`. */
  static async create(program: string): Promise<DevServerProcess> {
    const root = await mkdtemp(join(tmpdir(), 'boxyard-bench-'))
    for (const folder of ['workspace', 'home', 'state']) await mkdir(join(root, folder))
    return new DevServerProcess(root, program, await BoxKeys.generate())
  }

  /** Starts the process, again after kill(). Resolves when its socket accepts. */
  async run(): Promise<void> {
    await rm(this.#socket, { force: true })
    const child = spawn(process.execPath, [join(this.#program, 'main.js')], {
      env: this.#environment,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.#process = child
    await untilListening(child, this.#socket)
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#process
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }

  get pid(): number | undefined {
    return this.#process?.pid
  }

  /** A joined client. `onSocket` is handed each socket it opens. */
  async connect(username: string, onSocket?: (socket: WebSocket) => void): Promise<DevServerClient> {
    const options: DevServerClientOptions = {
      appId: 'bench',
      resolveInstance: () => this.instance(username),
      createSocket: (url) => {
        const socket = new WebSocket(url, { perMessageDeflate: false })
        onSocket?.(socket)
        return socket
      },
    }
    const client = new DevServerClient(options)
    this.#clients.add(client)
    await client.connect()
    return client
  }

  async stop(): Promise<void> {
    for (const client of this.#clients) client.dispose()
    await this.kill('SIGTERM')
    await rm(this.#root, { recursive: true, force: true })
  }

  /** What a client of another process needs to connect. */
  async instance(username: string): Promise<Instance> {
    const token = await this.#keys.token(BOX, EPOCH, username)
    return { id: BOX, url: `ws+unix:${this.#socket}:/`, token, workspacePath: this.workspace, bootType: 'CLEAN' }
  }
}

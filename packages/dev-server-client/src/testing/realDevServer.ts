import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { WebSocket } from 'ws'
import type { DevServerClientOptions, Instance } from '../api.ts'
import { DevServerClient } from '../devServerClient.ts'

const program = fileURLToPath(new URL('../../../dev-server/src/main.ts', import.meta.url))

/** A dev server in a process of its own, with folders, keys and tokens as a box has them. */
export class RealDevServer {
  readonly workspace: string
  readonly #root: string
  readonly #environment: Record<string, string>
  readonly #privateKey: CryptoKey
  readonly #clients: DevServerClient[] = []
  #process: ChildProcess | undefined

  private constructor(root: string, publicKey: string, privateKey: CryptoKey) {
    this.#root = root
    this.workspace = join(root, 'workspace')
    this.#privateKey = privateKey
    this.#environment = {
      PATH: process.env['PATH'] ?? '',
      HOME: join(root, 'home'),
      BOXYARD_BOX_ID: 'box1',
      BOXYARD_EPOCH: '1',
      BOXYARD_BOOT: 'CLEAN',
      BOXYARD_WORKSPACE: this.workspace,
      BOXYARD_STATE: join(root, 'state'),
      BOXYARD_SOCKET: join(root, 'dev-server.sock'),
      BOXYARD_PUBLIC_KEY: publicKey,
      BOXYARD_PREVIEW_HOST: '{id}-{port}.preview.boxyard.localhost:4100',
    }
  }

  static async start(): Promise<RealDevServer> {
    const root = await mkdtemp(join(tmpdir(), 'boxyard-client-'))
    const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' })
    const server = new RealDevServer(root, JSON.stringify(await exportJWK(publicKey)), privateKey)
    for (const folder of ['workspace', 'home', 'state']) await mkdir(join(root, folder))
    await server.run()
    return server
  }

  /** The unix socket that it listens on. */
  get socketPath(): string {
    return this.#environment['BOXYARD_SOCKET']!
  }

  /** Starts the process, again after kill(). Resolves when its socket accepts. */
  async run(): Promise<void> {
    const socket = this.socketPath
    await rm(socket, { force: true })
    const child = spawn(process.execPath, ['--import', 'tsx', program], {
      env: this.#environment,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.#process = child
    let log = ''
    await new Promise<void>((resolve, reject) => {
      child.stderr.on('data', (chunk: Buffer) => {
        log += chunk.toString()
        const probe = createConnection(socket)
        probe.once('connect', () => (probe.destroy(), resolve()))
        probe.once('error', () => undefined)
      })
      child.once('exit', (code) => reject(new Error(`The dev server ended with ${code}: ${log}`)))
    })
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    const child = this.#process
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }

  async instance(username: string): Promise<Instance> {
    const token = await new SignJWT({
      aud: 'box1',
      sub: username,
      epoch: 1,
      access: 'write',
      username,
      name: username,
      avatarUrl: null,
      exp: Math.floor(Date.now() / 1000) + 600,
    })
      .setProtectedHeader({ alg: 'EdDSA' })
      .sign(this.#privateKey)
    const url = `ws+unix:${this.socketPath}:/`
    return { id: 'box1', url, token, workspacePath: this.workspace, bootType: 'CLEAN' }
  }

  /** A joined client, and the sockets it opened, the newest last. */
  async connect(
    username: string,
    changes: Partial<DevServerClientOptions> = {},
  ): Promise<{ client: DevServerClient; sockets: WebSocket[] }> {
    const sockets: WebSocket[] = []
    const client = new DevServerClient({
      appId: 'test',
      resolveInstance: () => this.instance(username),
      createSocket: (url) => {
        const socket = new WebSocket(url)
        sockets.push(socket)
        return socket
      },
      ...changes,
    })
    this.#clients.push(client)
    await client.connect()
    return { client, sockets }
  }

  async stop(): Promise<void> {
    for (const client of this.#clients) client.dispose()
    await this.kill('SIGTERM')
    await rm(this.#root, { recursive: true, force: true })
  }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { DevServerClient, OpenFile } from '@boxyard/dev-server-client'
import type { WebSocket } from 'ws'
import { buildDevServer } from '../buildDevServer.ts'
import { DevServerProcess } from '../devServerProcess.ts'

const MEGABYTE = 1_000_000

/** A box in which somebody types, somebody else lets `yes` run, and a third person watches that without ever reading. */
export class Flood {
  readonly #server: DevServerProcess
  readonly #typist: DevServerClient
  #file: OpenFile | undefined
  #lines: AsyncIterator<string> | undefined
  #flowing: (() => Promise<void>) | undefined

  private constructor(server: DevServerProcess, typist: DevServerClient) {
    this.#server = server
    this.#typist = typist
  }

  static async create(): Promise<Flood> {
    const server = await DevServerProcess.create(await buildDevServer())
    await server.run()
    await writeFile(join(server.workspace, 'typed.txt'), 'text\n')
    return new Flood(server, await server.connect('typist'))
  }

  /**
   * Starts `yes`, read in a process of its own: what its reader is busy with is not in the way of the typist. Resolves when 100 MB of it
   * were read.
   */
  async start(): Promise<void> {
    const program = fileURLToPath(new URL('./floodReader.ts', import.meta.url))
    const instance = JSON.stringify(await this.#server.instance('reader'))
    const reader = spawn(process.execPath, ['--import', 'tsx', program, instance], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const lines = createInterface({ input: reader.stdout })[Symbol.asyncIterator]()
    const { value: shellId } = (await lines.next()) as { value: string }
    const asleep: WebSocket[] = []
    const sleeper = await this.#server.connect('sleeper', (socket) => asleep.push(socket))
    await sleeper.shells.open(shellId, { cols: 80, rows: 24 })
    for (const socket of asleep) socket.pause()
    this.#lines = lines
    this.#flowing = async () => {
      for (const socket of asleep) socket.terminate()
      const exited = once(reader, 'exit')
      reader.kill()
      await exited
    }
    await this.flow(1)
  }

  /** Resolves when so many times 100 MB more were read. */
  async flow(times: number): Promise<void> {
    for (let count = 0; count < times; count += 1) await this.#lines?.next()
  }

  /** Milliseconds from a key to its acceptance, many times. */
  async keys(count: number): Promise<number[]> {
    this.#file ??= await this.#typist.files.open('typed.txt')
    const file = this.#file
    if (file.kind !== 'text') throw new Error('Not a text')
    const took: number[] = []
    const { length } = file.text
    for (let key = 0; key < count; key += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10 + Math.random() * 20))
      const start = performance.now()
      const accepted = new Promise<void>((resolve) => {
        const subscription = file.onDidChangeSync((state) => {
          if (state !== 'SYNCED') return
          subscription.dispose()
          resolve()
        })
      })
      file.edit(['a', length + key])
      await accepted
      took.push(performance.now() - start)
    }
    return took
  }

  /** Resident memory of the dev server in MB. */
  async memory(): Promise<number> {
    const status = await readFile(`/proc/${this.#server.pid}/status`, 'utf8')
    return (Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024) / MEGABYTE
  }

  async stop(): Promise<void> {
    await this.#flowing?.()
    await this.#server.stop()
  }
}

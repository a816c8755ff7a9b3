import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { runProgram } from '../runProgram.ts'
import { freePort } from './freePort.ts'
import { request } from './request.ts'

const POLL_MS = 5

/** A project in a folder of its own with its packages installed, for Vite's dev server. */
export class ViteProject {
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
  }

  static async install(files: Readonly<Record<string, string>>): Promise<ViteProject> {
    const project = new ViteProject(await mkdtemp(join(tmpdir(), 'boxyard-bench-vite-')))
    for (const [path, text] of Object.entries(files)) await project.write(path, text)
    await runProgram('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: project.#folder })
    return project
  }

  async write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(this.#folder, path)), { recursive: true })
    await writeFile(join(this.#folder, path), text)
  }

  /** Starts the dev server with nothing prepared, and resolves when it answers. */
  async start(): Promise<{ address: string; stop(): Promise<void> }> {
    await rm(join(this.#folder, 'node_modules/.vite'), { recursive: true, force: true })
    const port = await freePort()
    const program = join(this.#folder, 'node_modules/vite/bin/vite.js')
    const server = spawn(process.execPath, [program, '--host', '127.0.0.1', '--port', String(port), '--strictPort'], {
      cwd: this.#folder,
      stdio: 'ignore',
    })
    const exited = once(server, 'exit')
    for (;;) {
      const answer = await request(port, { path: '/' }).catch(() => null)
      if (answer?.status === 200) break
      if (server.exitCode !== null) throw new Error(`vite ended with ${server.exitCode}`)
      await delay(POLL_MS)
    }
    return {
      address: `http://127.0.0.1:${port}/`,
      async stop() {
        server.kill('SIGTERM')
        await exited
      },
    }
  }

  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from '../runProgram.ts'
import { freePort } from '../server/freePort.ts'
import { untilListening } from '../untilListening.ts'
import { writeProject } from './project.ts'

const ATTEMPTS = 3

export interface ViteServer {
  address: string
  stop(): Promise<void>
}

/** A project on this machine with its packages installed, and the dev server that people start in it. */
export class ViteProject {
  readonly folder: string

  private constructor(folder: string) {
    this.folder = folder
  }

  static async make(files: Readonly<Record<string, string>>): Promise<ViteProject> {
    const folder = await mkdtemp(join(tmpdir(), 'boxyard-bench-vite-'))
    await writeProject(folder, files)
    await runProgram('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'], {
      cwd: folder,
    })
    return new ViteProject(folder)
  }

  /** Starts Vite as after an install: nothing of an earlier start is kept. Resolves when it answers. */
  async start(): Promise<ViteServer> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#startOnce()
      } catch (error) {
        // Somebody else may have taken the port since it was free.
        if (attempt === ATTEMPTS) throw error
      }
    }
  }

  async #startOnce(): Promise<ViteServer> {
    await rm(join(this.folder, 'node_modules', '.vite'), { recursive: true, force: true })
    const port = await freePort()
    const server = spawn(
      process.execPath,
      ['node_modules/vite/bin/vite.js', '--host', '127.0.0.1', '--port', String(port), '--strictPort'],
      { cwd: this.folder, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    const address = `http://127.0.0.1:${port}/`
    const stop = async () => {
      if (server.exitCode !== null || server.signalCode !== null) return
      const exited = once(server, 'exit')
      server.kill('SIGTERM')
      await exited
    }
    try {
      await untilListening(server, port)
      if (!(await fetch(address)).ok) throw new Error(`Vite does not serve the project at ${address}`)
    } catch (error) {
      await stop()
      throw error
    }
    return { address, stop }
  }

  /** Saves a file; the time of the clock just before. */
  async save(path: string, text: string): Promise<number> {
    const at = performance.timeOrigin + performance.now()
    await writeFile(join(this.folder, path), text)
    return at
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
}

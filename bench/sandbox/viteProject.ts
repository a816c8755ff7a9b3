import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from '../runProgram.ts'
import { freePort } from '../server/freePort.ts'
import { untilListening } from '../untilListening.ts'
import { EDITED, writeProject } from './project.ts'

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

  /** Starts Vite as after an install: nothing of an earlier start is kept. Resolves when it takes connections. */
  async start(): Promise<ViteServer> {
    await rm(join(this.folder, 'node_modules', '.vite'), { recursive: true, force: true })
    const port = await freePort()
    const server = spawn(
      process.execPath,
      ['node_modules/vite/bin/vite.js', '--host', '127.0.0.1', '--port', String(port), '--strictPort'],
      { cwd: this.folder, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    await untilListening(server, port)
    return {
      address: `http://127.0.0.1:${port}/`,
      async stop() {
        const exited = once(server, 'exit')
        server.kill('SIGTERM')
        await exited
      },
    }
  }

  /** Saves the edited file; the time of the clock just before. */
  async save(text: string): Promise<number> {
    const at = performance.timeOrigin + performance.now()
    await writeFile(join(this.folder, EDITED), text)
    return at
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
}

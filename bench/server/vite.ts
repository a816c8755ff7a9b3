import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { runProgram } from '../runProgram.ts'
import { freePort } from './freePort.ts'
import { request } from './request.ts'

const POLL_MS = 5

/** A copy of a template with its packages installed, for Vite's own dev server. */
export interface ViteProject {
  folder: string
  /** Starts the dev server, which has optimized nothing yet where `isCold`; resolves when it answers. */
  start(options: { isCold: boolean }): Promise<{ address: string; stop(): Promise<void> }>
  remove(): Promise<void>
}

export async function viteProject(template: string): Promise<ViteProject> {
  const folder = await mkdtemp(join(tmpdir(), 'boxyard-bench-vite-'))
  await cp(template, folder, { recursive: true })
  await runProgram('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder })
  return {
    folder,
    async start({ isCold }) {
      if (isCold) await rm(join(folder, 'node_modules', '.vite'), { recursive: true, force: true })
      const port = await freePort()
      const args = ['--host', '127.0.0.1', '--port', String(port), '--strictPort']
      const server = spawn(process.execPath, [join(folder, 'node_modules', 'vite', 'bin', 'vite.js'), ...args], {
        cwd: folder,
        stdio: 'ignore',
      })
      const exited = once(server, 'exit')
      while ((await request(port, { path: '/' }).catch(() => null))?.status !== 200) {
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
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

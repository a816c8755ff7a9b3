import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { runProgram } from '../runProgram.ts'
import { freePort } from './freePort.ts'
import { request } from './request.ts'

const POLL_MS = 10

/** Milliseconds from a copy of the project to its page, as on a laptop: `npm ci`, then `npx vite`. */
export async function plainVite(template: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'boxyard-bench-vite-'))
  try {
    const port = await freePort()
    const start = performance.now()
    await cp(template, folder, { recursive: true })
    await runProgram('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder })
    const server = spawn('npx', ['vite', '--host', '127.0.0.1', '--port', String(port), '--strictPort'], {
      cwd: folder,
      stdio: 'ignore',
      detached: true,
    })
    const exited = once(server, 'exit')
    while (!(await answersWithPage(port))) {
      if (server.exitCode !== null) throw new Error(`vite ended with ${server.exitCode}`)
      await delay(POLL_MS)
    }
    const took = performance.now() - start
    // npx starts vite as a child of its own.
    process.kill(-server.pid!, 'SIGTERM')
    await exited
    return took
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
}

async function answersWithPage(port: number): Promise<boolean> {
  const answer = await request(port, { path: '/' }).catch(() => null)
  return answer?.status === 200 && answer.text.includes('/@vite/client')
}

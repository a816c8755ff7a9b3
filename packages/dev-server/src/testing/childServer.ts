import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Bundles the dev server into a folder of its own, as it is mounted into a box. */
export async function buildForTest(): Promise<{ main: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'boxyard-dev-server-build-'))
  const script = fileURLToPath(new URL('../../build.mjs', import.meta.url))
  await promisify(execFile)(process.execPath, [script, folder])
  return { main: join(folder, 'main.js'), remove: () => rm(folder, { recursive: true, force: true }) }
}

/** A dev server in a process of its own, so that it can be killed. */
export class ChildServer {
  readonly process: ChildProcess
  readonly log: string[] = []

  private constructor(child: ChildProcess) {
    this.process = child
  }

  /** Resolves when its socket is open. */
  static async start(main: string, environment: Record<string, string>): Promise<ChildServer> {
    const child = spawn(process.execPath, [main], { env: environment, stdio: ['ignore', 'ignore', 'pipe'] })
    const server = new ChildServer(child)
    const lines = createInterface({ input: child.stderr })
    await new Promise<void>((resolve, reject) => {
      lines.on('line', (line) => {
        server.log.push(line)
        if (line.includes('"error"')) console.error(line)
        if (line.includes('The dev server listens')) resolve()
      })
      child.once('exit', () => reject(new Error(`The dev server ended:\n${server.log.join('\n')}`)))
    })
    return server
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    const ended = once(this.process, 'exit')
    this.process.kill(signal)
    const [code] = (await ended) as [number | null]
    return code
  }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'

const sandbox = ['--unshare-all', '--die-with-parent', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc']

/** Milliseconds until a bare program in a bare sandbox has printed something: no box of any kind can be faster. */
export async function bareOutput(): Promise<number> {
  const start = performance.now()
  const child = spawn('bwrap', [...sandbox, process.execPath, '-e', 'console.log("ready")'], {
    // As boxes have it, nothing of this environment: certificates named there, which Node reads first, take longer than all the rest.
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const printed = once(child.stdout, 'data')
  await Promise.race([printed, exited.then(() => Promise.reject(new Error('bwrap ended without a word')))])
  const took = performance.now() - start
  await exited
  return took
}

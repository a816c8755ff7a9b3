import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter } from 'node:path'

/** Runs a program to its end. Rejects with what it wrote when it fails. `path` is a folder that stands first on PATH. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { cwd, path }: { cwd: string; path?: string },
): Promise<void> {
  const inherited = process.env['PATH'] ?? ''
  // The npm that runs the benchmark would have npm's scripts believe that they run under its Node, whichever stands on PATH.
  const { npm_config_user_agent: _outer, ...environment } = process.env
  const env = { ...environment, PATH: path === undefined ? inherited : `${path}${delimiter}${inherited}` }
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let written = ''
  child.stdout.on('data', (chunk: Buffer) => (written += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (written += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} in ${cwd} ended with ${code}:\n${written}`)
}

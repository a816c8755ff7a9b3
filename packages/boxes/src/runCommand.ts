import { spawn } from 'node:child_process'
import { BoxError } from './errors.ts'

export interface CommandResult {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs a program without a shell and collects what it wrote. A program that can not be started has `code` null. */
export function tryCommand(
  command: string,
  args: readonly string[],
  options: { cwd?: string; deadlineMs?: number } = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: options.deadlineMs,
      killSignal: 'SIGKILL',
      // Messages are matched below, so they must be in one language.
      env: { PATH: hostPath(), LC_ALL: 'C' },
    })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.once('error', (error) => resolve({ code: null, stdout, stderr: error.message }))
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
}

/** Runs a program that works on a disk; failures are DISK_FULL or DISK_FAILED. */
export async function diskCommand(command: string, args: readonly string[], cwd?: string): Promise<string> {
  const result = await tryCommand(command, args, cwd === undefined ? {} : { cwd })
  if (result.code === 0) return result.stdout
  const lines = result.stderr.trim().split('\n')
  const full = lines.find((line) => /No space left on device|Disk quota exceeded/.test(line))
  if (full !== undefined) throw new BoxError('DISK_FULL', full)
  throw new BoxError('DISK_FAILED', `${command}: ${lines.slice(-3).join(' ') || `ended with ${result.code}`}`)
}

/** The error of a file system call as a BoxError; others pass through. */
export function asDiskError(error: unknown): unknown {
  if (error instanceof BoxError || !(error instanceof Error) || !('code' in error)) return error
  const full = error.code === 'ENOSPC' || error.code === 'EDQUOT'
  return new BoxError(full ? 'DISK_FULL' : 'DISK_FAILED', error.message, { cause: error })
}

/** System folders are always searched: a service often runs with a PATH without sbin. */
export function hostPath(): string {
  return [process.env['PATH'], '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'].filter(Boolean).join(':')
}

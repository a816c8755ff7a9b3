import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import type { GitCredentials } from '@boxyard/protocol'
import { findOnPath } from '../findOnPath.ts'
import { gitEnvironment } from './gitEnvironment.ts'

/** What one call of git may print. More than any status or diff that a client could show. */
const MAX_OUTPUT = 64 * 1024 * 1024
/** A remote that has not come to an end by then never will; nobody else could use git until it does. */
const MAX_DURATION_MS = 10 * 60 * 1000

export interface GitCall {
  cwd: string
  environment: Readonly<Record<string, string>>
  /** Written to its standard input. */
  input?: string | undefined
  /** For whoever asks git for a password in this call. */
  credentials?: GitCredentials | undefined
  /** More variables, such as GIT_INDEX_FILE. */
  variables?: Readonly<Record<string, string>>
  /** Exit codes that are answers and not failures; 0 always is. */
  accept?: readonly number[]
  signal?: AbortSignal | undefined
}

export interface GitOutput {
  code: number
  stdout: string
}

/** Git ended with an exit code that is no answer. The message is what it said, without addresses' passwords. */
export class GitFailed extends Error {
  readonly exitCode: number | null

  constructor(message: string, exitCode: number | null) {
    super(message)
    this.name = 'GitFailed'
    this.exitCode = exitCode
  }
}

/** Whether this box has git. */
export function hasGit(): boolean {
  return findOnPath('git', process.env['PATH']) !== undefined
}

/** Runs git without a shell. Credentials go through a pipe that git's helper reads once: they are in no file, argument or variable. */
export async function runGit(args: readonly string[], call: GitCall): Promise<GitOutput> {
  const signals = [AbortSignal.timeout(MAX_DURATION_MS), ...(call.signal ? [call.signal] : [])]
  const child = spawn('git', args, {
    cwd: call.cwd,
    env: { ...gitEnvironment(call.environment, call.credentials), ...call.variables },
    stdio: ['pipe', 'pipe', 'pipe', call.credentials ? 'pipe' : 'ignore'],
    signal: AbortSignal.any(signals),
  }) as ChildProcessWithoutNullStreams
  const { stdin, stdout, stderr } = child
  // Git may end without having read what it was given.
  stdin.on('error', () => undefined)
  stdin.end(call.input ?? '')
  const helper = child.stdio[3]
  if (call.credentials && helper && 'end' in helper) {
    helper.on('error', () => undefined)
    helper.end(`username=${call.credentials.username}\npassword=${call.credentials.password}\n`)
  }
  const chunks: Buffer[] = []
  let length = 0
  stdout.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length <= MAX_OUTPUT) chunks.push(chunk)
    else child.kill('SIGKILL')
  })
  let complaint = ''
  stderr.setEncoding('utf8').on('data', (chunk: string) => {
    complaint = (complaint + chunk).slice(-20_000)
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  if (length > MAX_OUTPUT) throw new GitFailed('Git printed more than can be shown', null)
  if (code === null || (code !== 0 && !call.accept?.includes(code))) {
    const said = complaint.trim() || Buffer.concat(chunks).toString('utf8').trim().slice(-2000)
    throw new GitFailed(withoutPasswords(said || `git ${args[0]} ended with ${code}`), code)
  }
  return { code, stdout: Buffer.concat(chunks).toString('utf8') }
}

/** Addresses in the configuration of a repository may hold passwords, and git repeats them. */
export function withoutPasswords(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/)[^/\s@]+@/gi, '$1')
}

import { spawn } from 'node:child_process'
import { GitCommandError } from './gitCommandError.ts'

export interface GitRun {
  cwd: string
  /** Written to its standard input. */
  input?: string | Buffer
  env?: Readonly<Record<string, string>>
  /** Settings of this run alone. */
  config?: Readonly<Record<string, string>>
  /** Statuses besides 0 that are an answer. */
  statuses?: readonly number[]
  /** More output than this ends it. */
  maxBytes?: number
}

export interface GitResult {
  status: number
  stdout: Buffer
}

const MOST_OUTPUT = 64 * 1024 * 1024

/**
 * What every git of ours runs with: nothing of the machine's or a person's settings, no hooks, no questions, and any owner of the
 * folder, which may be another user than the server.
 */
export function gitEnvironment(config: Readonly<Record<string, string>> = {}): Record<string, string> {
  const settings = Object.entries({
    'safe.directory': '*',
    'core.hooksPath': '/dev/null',
    'core.fsync': 'all',
    'gc.autoDetach': 'false',
    'protocol.ext.allow': 'never',
    ...config,
  })
  return {
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: '/nonexistent',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  }
}

/** Runs git without a shell and collects its output. Throws GitCommandError for any status that is not an answer. */
export function runGit(args: readonly string[], run: GitRun): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', args, {
      cwd: run.cwd,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...gitEnvironment(run.config), ...run.env },
    })
    const chunks: Buffer[] = []
    let bytes = 0
    let errors = ''
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > (run.maxBytes ?? MOST_OUTPUT)) child.kill('SIGKILL')
      else chunks.push(chunk)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-4000)))
    child.once('error', reject)
    // It may end before it has read everything; its status says why.
    child.stdin.on('error', () => undefined)
    child.stdin.end(run.input ?? '')
    child.once('close', (status) => {
      if (status !== null && (status === 0 || run.statuses?.includes(status))) {
        resolve({ status, stdout: Buffer.concat(chunks) })
      } else {
        const said = bytes > (run.maxBytes ?? MOST_OUTPUT) ? 'it wrote more than it may' : errors.trim()
        reject(new GitCommandError(args[0] ?? '', status, said))
      }
    })
  })
}

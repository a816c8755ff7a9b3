import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  ProtocolError,
  type GitCommit,
  type GitCredentials,
  type GitDiffFile,
  type GitRemotes,
} from '@boxyard/protocol'
import { hasCode } from '../fs/errno.ts'
import { parseDiff } from './parseDiff.ts'
import { LOG_FORMAT, parseLog } from './parseLog.ts'
import { parseStatus, type ParsedStatus } from './parseStatus.ts'
import { GitFailed, runGit, withoutPasswords, type GitCall, type GitOutput } from './runGit.ts'

/** Longer lists of commits help nobody. */
const MAX_COMMITS = 100

/** Written by whoever made the clone: the branch the box is for, and the one its work goes to. */
export const BRANCH_SETTING = 'boxyard.branch'
export const TARGET_SETTING = 'boxyard.target'

export interface Counts {
  ahead: number
  behind: number
}

/** What git knows of the workspace. Nothing here changes a file; see GitChanges. */
export class GitRepository {
  readonly root: string
  readonly #environment: Readonly<Record<string, string>>
  readonly #ended = new AbortController()

  constructor(root: string, environment: Readonly<Record<string, string>>) {
    this.root = root
    // A repository around the workspace is none of its business.
    this.#environment = { ...environment }
  }

  get exists(): boolean {
    return existsSync(join(this.root, '.git'))
  }

  /** Throws when the workspace is no repository. */
  mustExist(): void {
    if (this.exists) return
    throw new ProtocolError(
      'FEATURE_UNAVAILABLE',
      'This project is not a git repository. Run "git init" in a terminal first.',
    )
  }

  /** Ends what still runs. */
  dispose(): void {
    this.#ended.abort()
  }

  run(
    args: readonly string[],
    options: Partial<Pick<GitCall, 'input' | 'credentials' | 'variables' | 'accept'>> = {},
  ): Promise<GitOutput> {
    return runGit(args, {
      cwd: this.root,
      environment: this.#environment,
      ...options,
      variables: { GIT_CEILING_DIRECTORIES: dirname(this.root), ...options.variables },
      signal: this.#ended.signal,
    })
  }

  /** One line of output, or null when git has no answer. */
  async ask(...args: readonly string[]): Promise<string | null> {
    try {
      return (await this.run(args)).stdout.trim() || null
    } catch (error) {
      if (error instanceof GitFailed && error.exitCode !== null) return null
      throw error
    }
  }

  async status(): Promise<ParsedStatus> {
    const { stdout } = await this.run([
      'status',
      '--porcelain=v2',
      '--branch',
      '--untracked-files=all',
      '--ignore-submodules=dirty',
      '-z',
    ])
    return parseStatus(stdout)
  }

  async isMerging(): Promise<boolean> {
    return (await this.ask('rev-parse', '--quiet', '--verify', 'MERGE_HEAD')) !== null
  }

  /** The hash of the commit that a name stands for; null when it stands for none. */
  commit(reference: string): Promise<string | null> {
    return this.ask('rev-parse', '--quiet', '--verify', '--end-of-options', `${reference}^{commit}`)
  }

  currentBranch(): Promise<string | null> {
    return this.ask('symbolic-ref', '--quiet', '--short', 'HEAD')
  }

  setting(name: string): Promise<string | null> {
    return this.ask('config', '--get', name)
  }

  async remotes(): Promise<GitRemotes> {
    const addressOf = async (name: string): Promise<string> =>
      withoutPasswords((await this.ask('remote', 'get-url', name)) ?? '')
    return { origin: await addressOf('origin'), upstream: await addressOf('upstream') }
  }

  /** The branch that work on this one goes to: what the box was made with, else the default branch of the remote. */
  async targetBranch(): Promise<string | null> {
    const chosen = await this.setting(TARGET_SETTING)
    if (chosen !== null) return chosen
    const head = await this.ask('symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD')
    return head?.replace(/^origin\//, '') ?? null
  }

  /** How many commits HEAD has that `reference` has not, and the other way round. */
  async counts(reference: string): Promise<Counts> {
    const { stdout } = await this.run(['rev-list', '--left-right', '--count', `HEAD...${reference}`])
    const [ahead = 0, behind = 0] = stdout.trim().split(/\s+/).map(Number)
    return { ahead, behind }
  }

  async log(...range: readonly string[]): Promise<GitCommit[]> {
    const { stdout } = await this.run(['log', '-z', LOG_FORMAT, `--max-count=${MAX_COMMITS}`, ...range, '--'])
    return parseLog(stdout)
  }

  /** The commits of HEAD that changed a file, newest first. What a shallow clone begins with changed nothing that is known. */
  async history(path: string, skip: number): Promise<{ commits: GitCommit[]; hasMore: boolean }> {
    if ((await this.commit('HEAD')) === null) return { commits: [], hasMore: false }
    const bounds = [`--max-count=${MAX_COMMITS + 1}`, `--skip=${skip}`]
    const { stdout } = await this.run(['--literal-pathspecs', 'log', '-z', LOG_FORMAT, ...bounds, 'HEAD', '--', path])
    const found = parseLog(stdout)
    const cut = await this.#shallowCommits()
    const commits = found.slice(0, MAX_COMMITS).filter(({ hash }) => !cut.has(hash))
    return { commits, hasMore: found.length > MAX_COMMITS }
  }

  /** Whether a shallow clone left something of the history out. */
  async isShallow(): Promise<boolean> {
    return (await this.#shallowCommits()).size > 0
  }

  async #shallowCommits(): Promise<Set<string>> {
    try {
      return new Set((await readFile(join(this.root, '.git', 'shallow'), 'utf8')).split('\n'))
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) return new Set()
      throw error
    }
  }

  /** Whether `reference` can be merged into HEAD without a conflict, next to the local changes of these paths. */
  async mergesCleanly(reference: string, changed: ReadonlySet<string>): Promise<boolean> {
    const merge = await this.run(['merge-tree', '--write-tree', '--no-messages', 'HEAD', reference], { accept: [1] })
    if (merge.code !== 0) return false
    if (changed.size === 0) return true
    const { stdout } = await this.run(['diff', '--name-only', '-z', `HEAD...${reference}`, '--'])
    return !stdout.split('\0').some((path) => changed.has(path))
  }

  /** What differs between a revision and another one, or the files as they are now. */
  async diff(base: string, head?: string): Promise<GitDiffFile[]> {
    const { stdout } = await this.run([
      'diff',
      '--raw',
      '--patch',
      '--unified=0',
      '--find-renames',
      '--no-color',
      '--no-ext-diff',
      '--no-textconv',
      '--ignore-submodules=dirty',
      '-z',
      '--end-of-options',
      base,
      ...(head === undefined ? [] : [head]),
      '--',
    ])
    return parseDiff(stdout)
  }

  /** The text of a file in a commit; null when it is not there. */
  async contentAt(commit: string, path: string): Promise<string | null> {
    const object = `${commit}:${path}`
    if ((await this.ask('cat-file', '-t', object)) !== 'blob') return null
    return (await this.run(['cat-file', 'blob', object])).stdout
  }

  /** Brings a branch of a remote up to date here. Hooks do not run, so nobody but the remote is asked for the password. */
  /** Fetches what a shallow clone left out. False where the history is whole. */
  async deepen(credentials: GitCredentials | undefined): Promise<boolean> {
    if (!(await this.isShallow())) return false
    const quietly = ['-c', 'core.hooksPath=/dev/null', 'fetch', '--quiet', '--no-recurse-submodules', '--no-tags']
    await this.run([...quietly, '--unshallow', 'origin'], { credentials })
    return true
  }

  async fetch(branch: string, credentials: GitCredentials | undefined): Promise<void> {
    await this.run(
      [
        '-c',
        'core.hooksPath=/dev/null',
        'fetch',
        '--quiet',
        '--no-recurse-submodules',
        'origin',
        `+refs/heads/${branch}:refs/remotes/origin/${branch}`,
      ],
      { credentials },
    )
  }
}

import { isBranchName, runGit } from '@boxyard/git-host'
import type { HostRepository } from '@boxyard/git-host'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServerContext } from '../context.ts'
import type { GitHosts } from './gitHosts.ts'

/** The address in a box at which its relay answers for the git host. */
export interface CheckoutOptions {
  repository: HostRepository
  /** The branch to check out. */
  branch: string
  /** A new branch to make from it, or null to stay on it. */
  newBranch: string | null
  /** Null for what everyone may read. */
  token: string | null
  /** The address of `origin` in the box. */
  remote: string
  /** The branch that changes go to in the end. */
  target: string
}

/** Commits that come along at once. The box fetches the rest of the history while somebody works in it. */
const DEPTH = 100

/** Makes the folder that the box of a branch begins with. Objects come from a copy that the server keeps of each repository. */
export class Checkouts {
  readonly #context: ServerContext
  readonly #hosts: GitHosts
  /** One fetch a repository at a time. */
  readonly #fetching = new Map<number, Promise<void>>()

  constructor(context: ServerContext, hosts: GitHosts) {
    this.#context = context
    this.#hosts = hosts
  }

  /** Runs `use` with a fresh checkout, which is removed afterwards. */
  async with<T>(options: CheckoutOptions, use: (folder: string) => Promise<T>): Promise<T> {
    const { repository, branch, newBranch, remote, target } = options
    if (!isBranchName(branch) || (newBranch !== null && !isBranchName(newBranch)))
      throw new Error('Not the name of a branch')
    const source = await this.#source(repository, options.token)
    const parent = join(this.#context.configuration.home, 'repositories', 'checkouts')
    await mkdir(parent, { recursive: true })
    const folder = await mkdtemp(join(parent, `${repository.id}-`))
    const git = (...args: string[]) => runGit(args, { cwd: folder })
    try {
      await git(
        'clone',
        '--quiet',
        `--depth=${DEPTH}`,
        '--single-branch',
        '--no-tags',
        `--branch=${branch}`,
        `file://${source}`,
        '.',
      )
      await git('remote', 'set-url', 'origin', remote)
      await git('config', 'remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*')
      if (newBranch !== null) await git('checkout', '--quiet', '-b', newBranch, '--no-track')
      const current = newBranch ?? branch
      await git('config', `branch.${current}.remote`, 'origin')
      await git('config', `branch.${current}.merge`, `refs/heads/${current}`)
      // What the dev server's git goes by: the branch this box is for, and where its changes go.
      await git('config', 'boxyard.branch', current)
      await git('config', 'boxyard.target', target)
      return await use(folder)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  /** A bare repository on this disk with the branches of `repository` as they are now. */
  async #source(repository: HostRepository, token: string | null): Promise<string> {
    const { home } = this.#context.configuration
    if (this.#hosts.isLocal) return join(home, 'git', `${repository.id}.git`)
    const mirror = join(home, 'repositories', 'mirrors', `${repository.id}.git`)
    const running = this.#fetching.get(repository.id)
    const fetching = (running ?? Promise.resolve()).then(() => this.#fetch(mirror, repository, token))
    this.#fetching.set(repository.id, fetching)
    try {
      await fetching
    } finally {
      if (this.#fetching.get(repository.id) === fetching) this.#fetching.delete(repository.id)
    }
    return mirror
  }

  async #fetch(mirror: string, repository: HostRepository, token: string | null): Promise<void> {
    await mkdir(mirror, { recursive: true })
    await runGit(['init', '--quiet', '--bare'], { cwd: mirror })
    const address = `${this.#hosts.url}/${repository.owner}/${repository.name}.git`
    // By the environment: arguments can be seen by everyone on the machine, and settings would stay on disk.
    const basic = Buffer.from(`x-access-token:${token ?? ''}`).toString('base64')
    const config: Record<string, string> = token === null ? {} : { 'http.extraHeader': `Authorization: Basic ${basic}` }
    await runGit(
      ['fetch', '--quiet', '--prune', '--no-tags', '--no-write-fetch-head', address, '+refs/heads/*:refs/heads/*'],
      { cwd: mirror, config },
    )
  }
}

import { rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ProtocolError, type GitCredentials, type ProtocolErrorName } from '@boxyard/protocol'
import { hasCode } from '../fs/errno.ts'
import { BRANCH_SETTING, TARGET_SETTING, type GitRepository } from './GitRepository.ts'
import { GitFailed, withoutPasswords } from './runGit.ts'

export interface Person {
  name: string
  email: string
}

/** Changes the repository and its files. Nobody else may do so meanwhile; the area sees to that. */
export class GitChanges {
  readonly #repository: GitRepository

  constructor(repository: GitRepository) {
    this.#repository = repository
  }

  /**
   * Brings commits of the remote into this branch. When that would conflict it is refused and nothing changes, unless `force` asks
   * for the conflicts to be left in the files. Local changes are kept in either case.
   */
  async pull(options: {
    branch: string | undefined
    force: boolean
    credentials: GitCredentials | undefined
    person: Person
  }): Promise<void> {
    const repository = this.#repository
    const branch = options.branch ?? (await this.#remoteBranch('GIT_PULL_FAIL'))
    await this.fetch(branch, options.credentials)
    // With what both sides had before, a conflict says what each of them meant to change.
    const merge = [
      '-c',
      'merge.conflictStyle=diff3',
      'merge',
      '--no-edit',
      '--quiet',
      ...(options.force ? ['--autostash'] : []),
    ]
    try {
      await repository.run([...merge, `refs/remotes/origin/${branch}`], {
        variables: await this.committer(options.person),
      })
    } catch (error) {
      if (!(error instanceof GitFailed)) throw error
      const { entries } = await repository.status()
      const conflicts = entries.filter(({ isConflicted }) => isConflicted).map(({ path }) => path)
      const isInTheWay = /would be overwritten|local changes/i.test(error.message)
      if (conflicts.length === 0 && !isInTheWay) throw new ProtocolError('GIT_PULL_FAIL', error.message)
      if (conflicts.length > 0 && !options.force) await repository.run(['merge', '--abort'])
      const what = isInTheWay ? error.message : `Pulling leads to conflicts in ${conflicts.join(', ')}`
      throw new ProtocolError('GIT_PULL_CONFLICT', what, { conflicts })
    }
  }

  async fetch(branch: string, credentials: GitCredentials | undefined): Promise<void> {
    await failingAs('GIT_FETCH_FAIL', () => this.#repository.fetch(branch, credentials))
  }

  /** Takes back changes since the last commit, new files included. Without paths, everywhere. */
  async discard(paths: readonly string[] | undefined): Promise<void> {
    const repository = this.#repository
    if (paths?.length === 0) return
    const { head, entries } = await repository.status()
    const isMeant = (path: string): boolean =>
      paths === undefined || paths.some((one) => path === one || path.startsWith(one.endsWith('/') ? one : `${one}/`))
    // A repository inside of this one is told as one path with a slash at its end. It has a history of its own.
    const own = entries.filter(({ path }) => !path.endsWith('/'))
    const meant = own.filter(({ path, oldPath }) => isMeant(path) || (oldPath !== undefined && isMeant(oldPath)))
    if (paths === undefined && head !== undefined) await repository.run(['reset', '--hard', '--quiet'])
    const touched = [
      ...new Set(meant.flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [path, oldPath]))),
    ]
    if (touched.length === 0) return
    const committed = head === undefined ? new Set<string>() : await this.#pathsIn(head, touched)
    const unstage = head === undefined ? ['rm', '--cached', '--quiet', '--ignore-unmatch'] : ['reset', '--quiet', head]
    await repository.run(['--literal-pathspecs', ...unstage, ...fromInput], { input: touched.join('\0') })
    const restored = touched.filter((path) => committed.has(path))
    if (restored.length > 0) {
      await repository.run(['checkout-index', '--force', '-z', '--stdin'], { input: restored.join('\0') })
    }
    for (const path of touched) if (!committed.has(path)) await this.#removeFile(path)
  }

  /** Puts the chosen files, or all, into the index. */
  async stage(paths: readonly string[] | undefined): Promise<void> {
    if (paths === undefined) await this.#repository.run(['add', '--all'])
    else await this.#repository.run(['--literal-pathspecs', 'add', '--all', ...fromInput], { input: paths.join('\0') })
  }

  /** Sends this branch to the remote and follows it there. */
  async push(credentials: GitCredentials | undefined): Promise<void> {
    const branch = await this.#remoteBranch('GIT_PUSH_FAIL')
    await failingAs('GIT_PUSH_FAIL', () =>
      this.#repository.run(['push', '--quiet', '--set-upstream', 'origin', `HEAD:refs/heads/${branch}`], {
        credentials,
      }),
    )
  }

  /**
   * Sends the project to a branch of another repository, as one commit when asked to or when there is none yet. A project that
   * follows no remote follows that one from then on.
   */
  async pushToRemote(options: {
    url: string
    branch: string
    squashAllCommits: boolean
    credentials: GitCredentials | undefined
    person: Person
  }): Promise<void> {
    const repository = this.#repository
    const { branch, credentials } = options
    const address = withoutPasswords(options.url)
    if (!repository.exists) await repository.run(['init', '--quiet', `--initial-branch=${branch}`])
    const head = await repository.commit('HEAD')
    const isSquash = options.squashAllCommits || head === null
    const commit = isSquash ? await this.#squash(options.person) : head
    await failingAs('GIT_PUSH_FAIL', () =>
      // A password in the address would be used instead of the one that was handed in.
      repository.run(['push', '--quiet', credentials ? address : options.url, `${commit}:refs/heads/${branch}`], {
        credentials,
      }),
    )
    if ((await repository.remotes()).origin !== '') return
    await repository.run(['remote', 'add', 'origin', address])
    await repository.run(['update-ref', `refs/remotes/origin/${branch}`, commit])
    const current = await repository.currentBranch()
    if (current === null) return
    if (isSquash) {
      await repository.run(['update-ref', '-m', 'push to remote', 'HEAD', commit])
      await repository.run(['read-tree', 'HEAD'])
    }
    if (current !== branch && (await repository.commit(`refs/heads/${branch}`)) === null) {
      await repository.run(['branch', '--move', current, branch])
    }
    await repository.run(['branch', '--quiet', `--set-upstream-to=origin/${branch}`])
  }

  async renameBranch(oldBranch: string, newBranch: string): Promise<void> {
    const repository = this.#repository
    repository.mustExist()
    if (oldBranch === newBranch) return
    const current = await repository.currentBranch()
    const isUnborn = current === oldBranch && (await repository.commit('HEAD')) === null
    if (!isUnborn && (await repository.commit(`refs/heads/${oldBranch}`)) === null) {
      throw new ProtocolError('INVALID_PARAMS', `There is no branch ${oldBranch}`)
    }
    if ((await repository.commit(`refs/heads/${newBranch}`)) !== null) {
      throw new ProtocolError('INVALID_PARAMS', `The name ${newBranch} has already been taken`)
    }
    const followed = await repository.setting(`branch.${oldBranch}.merge`)
    await repository.run(['branch', '--move', oldBranch, newBranch])
    // The host has renamed its branch already.
    if (followed === `refs/heads/${oldBranch}`) {
      await repository.run(['config', `branch.${newBranch}.merge`, `refs/heads/${newBranch}`])
    }
    for (const setting of [BRANCH_SETTING, TARGET_SETTING]) {
      if ((await repository.setting(setting)) === oldBranch) await repository.run(['config', setting, newBranch])
    }
  }

  /** Makes this branch what it is at the remote. What is given up stays in the reflog; files that git does not know stay too. */
  async resetLocalWithRemote(credentials: GitCredentials | undefined): Promise<void> {
    const branch = await this.#remoteBranch('GIT_RESET_LOCAL_REMOTE_ERROR')
    await failingAs('GIT_RESET_LOCAL_REMOTE_ERROR', async () => {
      await this.#repository.fetch(branch, credentials)
      await this.#repository.run(['reset', '--hard', '--quiet', `refs/remotes/origin/${branch}`])
    })
  }

  /** Goes back to the branch the box is for. Local changes come along, or it is refused. */
  async checkoutInitialBranch(initial: string | null): Promise<void> {
    this.#repository.mustExist()
    if (initial === null) {
      throw new ProtocolError('GIT_RESET_CHECKOUT_INITIAL_BRANCH_FAIL', 'This box is for no particular branch')
    }
    await failingAs('GIT_RESET_CHECKOUT_INITIAL_BRANCH_FAIL', () =>
      this.#repository.run(['checkout', '--quiet', initial, '--']),
    )
  }

  /** Who a commit is by: what is configured in the box, else the person who asked. */
  async author(chosen: Person | undefined, caller: Person): Promise<Record<string, string>> {
    if (chosen)
      return { GIT_AUTHOR_NAME: chosen.name, GIT_AUTHOR_EMAIL: chosen.email, ...(await this.committer(chosen)) }
    const committer = await this.committer(caller)
    return {
      ...committer,
      ...('GIT_COMMITTER_NAME' in committer && { GIT_AUTHOR_NAME: caller.name }),
      ...('GIT_COMMITTER_EMAIL' in committer && { GIT_AUTHOR_EMAIL: caller.email }),
    }
  }

  async committer(person: Person): Promise<Record<string, string>> {
    const [name, email] = [await this.#repository.setting('user.name'), await this.#repository.setting('user.email')]
    if (name !== null && email !== null) return {}
    return { GIT_COMMITTER_NAME: person.name, GIT_COMMITTER_EMAIL: person.email }
  }

  /** One commit, without a history, of everything that is not ignored. The index stays as it is. */
  async #squash(person: Person): Promise<string> {
    const repository = this.#repository
    const index = join(repository.root, '.git', 'boxyard-squash-index')
    const variables = { GIT_INDEX_FILE: index }
    try {
      await repository.run(['add', '--all'], { variables })
      const tree = (await repository.run(['write-tree'], { variables })).stdout.trim()
      const by = await this.author(undefined, person)
      return (await repository.run(['commit-tree', '-m', 'Initial commit', tree], { variables: by })).stdout.trim()
    } finally {
      await rm(index, { force: true })
    }
  }

  async #remoteBranch(failure: ProtocolErrorName): Promise<string> {
    this.#repository.mustExist()
    const branch = await this.#repository.currentBranch()
    if (branch === null) throw new ProtocolError(failure, 'No branch is checked out. Check one out and try again.')
    const { origin } = await this.#repository.remotes()
    if (origin === '') throw new ProtocolError(failure, 'This project has no remote named origin')
    const followed = await this.#repository.setting(`branch.${branch}.merge`)
    const remote = await this.#repository.setting(`branch.${branch}.remote`)
    return remote === 'origin' && followed?.startsWith('refs/heads/') ? followed.slice('refs/heads/'.length) : branch
  }

  async #pathsIn(commit: string, paths: readonly string[]): Promise<Set<string>> {
    const { stdout } = await this.#repository.run(['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit])
    const wanted = new Set(paths)
    return new Set(stdout.split('\0').filter((path) => wanted.has(path)))
  }

  /** Removes a file and the folders that it leaves empty. */
  async #removeFile(path: string): Promise<void> {
    await rm(join(this.#repository.root, path), { recursive: true, force: true })
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
      try {
        await rmdir(join(this.#repository.root, folder))
      } catch (error) {
        if (hasCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT')) return
        throw error
      }
    }
  }
}

const fromInput = ['--pathspec-from-file=-', '--pathspec-file-nul']

/** Tells what git said under the code that the protocol has for this operation. */
async function failingAs<T>(name: ProtocolErrorName, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof GitFailed) throw new ProtocolError(name, error.message)
    throw error
  }
}

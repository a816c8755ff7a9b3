import { join } from 'node:path'
import {
  ProtocolError,
  type GitCredentials,
  type GitStatus,
  type NotificationName,
  type NotificationParams,
  type Params,
  type Result,
} from '@boxyard/protocol'
import type { Area, Connection, Connections } from '../area.ts'
import type { Configuration } from '../configuration.ts'
import type { Shells } from '../shell/Shells.ts'
import type { Timers } from '../shell/Timers.ts'
import type { WatchFolder } from '../task/watchFolder.ts'
import { GitChanges, type Person } from './GitChanges.ts'
import { GitCommitShell } from './GitCommitShell.ts'
import { BRANCH_SETTING, GitRepository } from './GitRepository.ts'
import { GitWatch } from './GitWatch.ts'
import { readGitStatus } from './readGitStatus.ts'
import { RemoteContentCache } from './RemoteContentCache.ts'
import { GitFailed } from './runGit.ts'
import { transposeLine } from './transposeLine.ts'

export interface GitAreaDependencies {
  configuration: Pick<Configuration, 'workspace' | 'state' | 'previewHost'>
  connections: Connections
  workspace: { idAt(path: string): string | undefined; onContent(listener: (path: string) => void): void }
  shells: Shells
  environment: Readonly<Record<string, string>>
  watchFolder: WatchFolder
  timers: Timers
  report: (error: unknown) => void
}

/** The repository of the workspace. See SPEC-git.md. */
export function createGitArea(dependencies: GitAreaDependencies): Area {
  const { configuration, connections, workspace, shells, report } = dependencies
  const repository = new GitRepository(configuration.workspace, dependencies.environment)
  const changes = new GitChanges(repository)
  const commits = new GitCommitShell({ repository, changes, shells, pathsFile: join(configuration.state, 'git-paths') })
  const contents = new RemoteContentCache()
  const baseHost = configuration.previewHost.replace(/^.*\.preview\./, '').replace(/:\d+$/, '')
  let isBusy = false
  let isDisposed = false
  let lastStatus = ''
  let lastRemotes = ''
  let lastBranch: string | null | undefined
  let deepening: Promise<boolean> | undefined

  const tell = <N extends NotificationName>(name: N, params: NotificationParams<N>): void =>
    connections.broadcast(name, params, { only: ({ subscriptions }) => subscriptions.git?.operations === true })
  /** What was cut off by the end of the dev server is no failure. */
  const reportAlive = (error: unknown): void => {
    if (!isDisposed) report(error)
  }
  const wantsStatus = ({ subscriptions }: Connection): boolean => subscriptions.git?.status === true

  /** One operation at a time: whoever comes meanwhile is told so, because what it saw when it asked may be gone. */
  const begin = (): (() => void) => {
    if (isBusy) throw new ProtocolError('GIT_OPERATION_IN_PROGRESS')
    isBusy = true
    return () => {
      isBusy = false
      watch.soon()
    }
  }
  const exclusively = async <T>(work: () => Promise<T>): Promise<T> => {
    const end = begin()
    try {
      return await work()
    } catch (error) {
      throw described(error)
    } finally {
      end()
    }
  }

  const readStatus = (): Promise<GitStatus> => readGitStatus(repository, (path) => workspace.idAt(path))

  const tellStatus = (status: GitStatus): void => {
    lastStatus = JSON.stringify(status)
    connections.broadcast('git/status', status, { only: wantsStatus })
  }

  /** Tells those who asked what changed since the last time. */
  const refresh = async (): Promise<void> => {
    // Between the steps of an operation there is nothing to tell; its end leads here again.
    if (isBusy || ![...connections.all()].some(wantsStatus)) return
    try {
      const status = await readStatus()
      if (JSON.stringify(status) !== lastStatus) tellStatus(status)
      if (!repository.exists) return
      const remotes = await repository.remotes()
      const isFirst = lastRemotes === ''
      if (JSON.stringify(remotes) !== lastRemotes && !isFirst) {
        connections.broadcast('git/remotes', remotes, { only: wantsStatus })
      }
      lastRemotes = JSON.stringify(remotes)
      await noticeCheckout(status.branch)
    } catch (error) {
      // A command in a terminal may have the repository in a state between two; its next change leads here again.
      reportAlive(error)
    }
  }

  /** The box is for one branch; whoever leaves it by a terminal is offered the way back. */
  const noticeCheckout = async (branch: string | null): Promise<void> => {
    const initial = await repository.setting(BRANCH_SETTING)
    if (initial !== null && branch !== initial && lastBranch === initial) tell('git/checkoutPrevented', { branch })
    lastBranch = branch
  }

  const watch = new GitWatch({
    root: configuration.workspace,
    watchFolder: dependencies.watchFolder,
    timers: dependencies.timers,
    refresh,
    report,
  })
  workspace.onContent((path) => watch.changed(path))

  const personOf = ({ client }: Connection): Person => ({
    name: client.name || client.username,
    email: `${client.username}@users.noreply.${baseHost}`,
  })

  /** Git lets one fetch at a time change where a shallow history ends. Everything else goes on meanwhile. */
  const deepened = async (): Promise<void> => {
    await deepening?.catch(() => undefined)
  }

  const deepen = async (credentials: GitCredentials | undefined): Promise<{ deepened: boolean }> => {
    repository.mustExist()
    deepening ??= repository.deepen(credentials).finally(() => (deepening = undefined))
    return { deepened: await deepening }
  }

  const pull = async (params: Params<'git/pull'>, connection: Connection): Promise<null> =>
    exclusively(async () => {
      repository.mustExist()
      await deepened()
      tell('git/pullStarted', null)
      try {
        await changes.pull({
          branch: params?.branch,
          force: params?.force === true,
          credentials: params?.credentials,
          person: personOf(connection),
        })
      } catch (error) {
        tell('git/pullFinished', { exitCode: 1, error: wireError(described(error)) })
        throw error
      }
      tell('git/pullFinished', null)
      return null
    })

  const commit = async (
    { message, paths, push, author, credentials }: Params<'git/commit'>,
    connection: Connection,
  ): Promise<{ shellId: string }> => {
    const end = begin()
    try {
      repository.mustExist()
      const variables = await changes.author(author, personOf(connection))
      const { session, ended } = await commits.start({ message, paths, variables, connection })
      tell('git/commitStarted', { shellId: session.id, message, ...(paths && { paths }) })
      finishCommit(ended, { push, credentials, end }).catch(reportAlive)
      return { shellId: session.id }
    } catch (error) {
      end()
      throw described(error)
    }
  }

  /** The commit is in the box when its shell ended well; sending it to the remote comes on top. */
  const finishCommit = async (
    shellEnded: Promise<number>,
    options: { push: boolean | undefined; credentials: GitCredentials | undefined; end: () => void },
  ): Promise<void> => {
    let exitCode = 1
    let failure: unknown
    try {
      exitCode = await shellEnded
      const isPushed = exitCode === 0 && (options.push ?? (await repository.remotes()).origin !== '')
      if (isPushed) await changes.push(options.credentials)
    } catch (error) {
      failure = described(error)
    } finally {
      options.end()
    }
    if (failure === undefined) tell('git/commitFinished', { exitCode: exitCode === 0 ? 0 : 1 })
    else {
      const { code, message } = wireError(failure)
      const error = { code, message: `The commit was made, but not pushed. ${message}` }
      tell('git/commitFinished', { exitCode: 1, error })
    }
    // Editors wait for both.
    if ([...connections.all()].some(wantsStatus)) tellStatus(await readStatus())
  }

  const targetDiff = async ({ branch, credentials }: Params<'git/targetDiff'>): Promise<Result<'git/targetDiff'>> => {
    repository.mustExist()
    if (credentials) await exclusively(() => changes.fetch(branch, credentials))
    const commitHash = await repository.commit(`refs/remotes/origin/${branch}`)
    if (commitHash === null) throw unknownRevision(branch)
    return { ...(await repository.counts(commitHash)), commits: await repository.log(`${commitHash}..HEAD`) }
  }

  const resolve = async (reference: string): Promise<string> => {
    const found = (await repository.commit(`refs/remotes/origin/${reference}`)) ?? (await repository.commit(reference))
    if (found === null) throw unknownRevision(reference)
    return found
  }

  const remoteContent = async ({ reference, path }: Params<'git/remoteContent'>): Promise<{ content: string }> => {
    repository.mustExist()
    const hash = await resolve(reference)
    const content = await contents.get(hash, path, async () => {
      const text = await repository.contentAt(hash, path)
      if (text === null) throw new ProtocolError('GIT_REMOTE_FILE_NOT_FOUND', `${path} does not exist in ${reference}`)
      return text
    })
    return { content }
  }

  const diffStatus = async ({ base, head }: Params<'git/diffStatus'>): Promise<Result<'git/diffStatus'>> => {
    repository.mustExist()
    for (const revision of [base, head])
      if ((await repository.commit(revision)) === null) throw unknownRevision(revision)
    return { files: await repository.diff(base, head) }
  }

  const log = async (path: string, skip: number): Promise<Result<'git/log'>> => {
    repository.mustExist()
    return repository.history(path, skip)
  }

  const transposeLines = async (lines: Params<'git/transposeLines'>): Promise<Result<'git/transposeLines'>> => {
    repository.mustExist()
    const diffs = new Map<string, Awaited<ReturnType<GitRepository['diff']>> | null>()
    try {
      for (const { sha } of lines) {
        if (!diffs.has(sha)) diffs.set(sha, (await repository.commit(sha)) === null ? null : await repository.diff(sha))
      }
    } catch (error) {
      if (error instanceof GitFailed) throw new ProtocolError('GIT_TRANSPOSE_LINES_FAIL', error.message)
      throw error
    }
    return lines.map(({ sha, path, line }) => {
      const files = diffs.get(sha)
      return files ? transposeLine(files, path, line) : null
    })
  }

  const reading = async <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw described(error)
    })

  return {
    handlers: {
      'git/status': () => reading(readStatus()),
      'git/remotes': async () => (repository.exists ? reading(repository.remotes()) : { origin: '', upstream: '' }),
      'git/targetDiff': (params) => reading(targetDiff(params)),
      'git/remoteContent': (params) => reading(remoteContent(params)),
      'git/log': ({ path, skip }) => reading(log(path, skip ?? 0)),
      'git/diffStatus': (params) => reading(diffStatus(params)),
      'git/deepen': (params) => reading(deepen(params?.credentials)),
      'git/transposeLines': (params) => reading(transposeLines(params)),
      'git/pull': pull,
      'git/commit': commit,
      'git/discard': (params) =>
        exclusively(async () => {
          repository.mustExist()
          await changes.discard(params?.paths)
          return params?.paths ? { paths: params.paths } : {}
        }),
      'git/push': (params) =>
        exclusively(async () => {
          await changes.push(params?.credentials)
          return null
        }),
      'git/pushToRemote': ({ url, branch, squashAllCommits, author, credentials }, connection) =>
        exclusively(async () => {
          const person = author ?? personOf(connection)
          await changes.pushToRemote({ url, branch, squashAllCommits: squashAllCommits === true, credentials, person })
          return null
        }),
      'git/renameBranch': ({ oldBranch, newBranch }) =>
        exclusively(async () => {
          await changes.renameBranch(oldBranch, newBranch)
          if (lastBranch === oldBranch) lastBranch = newBranch
          tell('git/renameBranch', { oldBranch, newBranch })
          return null
        }),
      'git/resetLocalWithRemote': (params) =>
        exclusively(async () => {
          await deepened()
          await changes.resetLocalWithRemote(params?.credentials)
          return null
        }),
      'git/checkoutInitialBranch': () =>
        exclusively(async () => {
          await changes.checkoutInitialBranch(await repository.setting(BRANCH_SETTING))
          return null
        }),
    },
    async dispose() {
      isDisposed = true
      repository.dispose()
      await watch.dispose()
    },
  }
}

function unknownRevision(reference: string): ProtocolError {
  return new ProtocolError(
    'GIT_REMOTE_FILE_NOT_FOUND',
    `The repository does not have ${reference}. Pull and try again.`,
  )
}

/** What git said is what people need to know, whatever the operation. */
function described(error: unknown): unknown {
  return error instanceof GitFailed ? new ProtocolError('CRITICAL_ERROR', error.message) : error
}

function wireError(error: unknown): { code: number; message: string } {
  const { code, message } = error instanceof ProtocolError ? error : new ProtocolError('CRITICAL_ERROR')
  return { code, message }
}

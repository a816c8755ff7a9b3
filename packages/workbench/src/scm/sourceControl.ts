import type { FileSystemArea, GitArea } from '@boxyard/dev-server-client'
import { ProtocolError, type GitCredentials, type GitStatus } from '@boxyard/protocol'
import type { IDialogService } from '@codingame/monaco-vscode-api/vscode/vs/platform/dialogs/common/dialogs.service'
import type { ISCMRepository } from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/scm/common/scm'
import { InputValidationType } from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/scm/common/scm'
import type { BranchHost } from './branchHost.ts'
import { gitChanges } from './gitChanges.ts'

export interface SourceControlOptions {
  git: GitArea
  fs: Pick<FileSystemArea, 'readFile'>
  host: BranchHost | undefined
  dialogs: Pick<IDialogService, 'confirm'>
  repository(): ISCMRepository | undefined
  /** Writes what is typed to disk, where git finds it. */
  saveAll(): Promise<unknown>
  /** Asks the AI of the box for a message about these files, which are relative to the workspace. */
  suggestCommit(files: string[]): Promise<string>
  /** Opens a file, relative to the workspace. */
  openFile(path: string): Promise<unknown>
}

/** What a person does with the repository: each is asked for where it would lose something, and rejects with words for them. */
export class SourceControl {
  readonly #options: SourceControlOptions

  constructor(options: SourceControlOptions) {
    this.#options = options
  }

  async commit(push: boolean): Promise<void> {
    const { git, host, saveAll } = this.#options
    const input = this.#options.repository()?.input
    const message = input?.value.trim() ?? ''
    if (message === '') {
      input?.showValidationMessage('Say in a few words what changed, then commit.', InputValidationType.Error)
      input?.setFocus()
      return
    }
    await saveAll()
    await this.#refuseConflictMarkers()
    const credentials = push ? await host?.credentials('push') : undefined
    await git.commit({ message, push, ...(credentials && { credentials }) })
    input?.setValue('', false)
  }

  /** Writes the message of the commit that comes next. The person reads it, and commits. */
  async suggestMessage(): Promise<void> {
    const { git, suggestCommit, saveAll } = this.#options
    await saveAll()
    const files = git.status ? gitChanges(git.status).map(({ path }) => path) : []
    if (files.length === 0) throw new Error('Need to provide at least 1 file')
    const input = this.#options.repository()?.input
    const before = input?.value
    const message = await suggestCommit(files)
    // What somebody wrote meanwhile is theirs.
    if (input?.value === before) input?.setValue(message, false)
  }

  async push(): Promise<void> {
    const { git, host } = this.#options
    await git.push(await host?.credentials('push'))
  }

  /** Brings commits of the remote, or of another branch there, into this one. */
  async pull(branch?: string): Promise<void> {
    const { git, dialogs, saveAll, openFile } = this.#options
    await saveAll()
    const options = async () => ({ ...(branch !== undefined && { branch }), ...(await this.#credentials()) })
    try {
      await git.pull(await options())
    } catch (error) {
      if (!isConflict(error)) throw error
      const { confirmed } = await dialogs.confirm({
        message: 'Pulling leads to conflicts.',
        detail: `${error.message}\n\nNothing has changed so far. You can pull anyway and resolve them in the files.`,
        primaryButton: 'Pull and resolve',
      })
      if (!confirmed) return
      try {
        await git.pull({ ...(await options()), force: true })
      } catch (forced) {
        if (!isConflict(forced)) throw forced
        const [first] = conflictsOf(forced)
        if (first !== undefined) await openFile(first)
      }
    }
  }

  /** Takes back what was changed since the last commit, in these files or everywhere. */
  async discard(paths?: readonly string[]): Promise<void> {
    const { git, dialogs } = this.#options
    const status = git.status
    if (!status) return
    const meant = paths ?? gitChanges(status).map(({ path }) => path)
    if (meant.length === 0) return
    const what = meant.length === 1 ? meant[0] : `${meant.length} files`
    const { confirmed } = await dialogs.confirm({
      type: 'warning',
      message: `Discard the changes in ${what}?`,
      detail:
        'They get the text of the last commit, for everybody who works here. New files are deleted. This cannot be undone.',
      primaryButton: 'Discard',
    })
    if (confirmed) await git.discard(paths ? [...paths] : undefined)
  }

  async resetToRemote(): Promise<void> {
    const { git, host, dialogs } = this.#options
    const { confirmed } = await dialogs.confirm({
      type: 'warning',
      message: `Reset ${git.status?.branch ?? 'this branch'} to what the remote has?`,
      detail:
        'Commits that were not pushed and changes of known files are given up. New files stay. This cannot be undone.',
      primaryButton: 'Reset',
    })
    if (confirmed) await git.resetToRemote(await host?.credentials('pull'))
  }

  /**
   * Renames the branch at the git host and in our records, then in the box. When the last step fails the first ones are taken back; the
   * first undo themselves.
   */
  async rename(name: string): Promise<void> {
    const { git, host } = this.#options
    const old = git.status?.branch
    if (!host || old == null) return
    if (!(await host.renameBranch(name))) return
    try {
      await git.renameBranch(old, name)
    } catch (error) {
      await host.renameBranch(old)
      throw error
    }
  }

  /** Sends everything in the workspace to a new repository, as one commit. */
  async fillRepository({
    url,
    branch,
    credentials,
  }: {
    url: string
    branch: string
    credentials: GitCredentials
  }): Promise<void> {
    const { git, saveAll } = this.#options
    await saveAll()
    await git.pushToRemote({ url, branch, credentials, squashAllCommits: true })
  }

  async #credentials(): Promise<{ credentials?: GitCredentials }> {
    const credentials = await this.#options.host?.credentials('pull')
    return credentials ? { credentials } : {}
  }

  /** A commit takes files with conflicts as they are; what nobody resolved must not slip through. */
  async #refuseConflictMarkers(): Promise<void> {
    const { git, fs } = this.#options
    for (const path of unresolved(git.status)) {
      const text = new TextDecoder().decode(await fs.readFile(path))
      if (/^<{7} .*$/m.test(text) && /^>{7} .*$/m.test(text))
        throw new Error(`${path} has conflicts that are not resolved. Choose a side for each of them, then commit.`)
    }
  }
}

function unresolved(status: GitStatus | undefined): string[] {
  if (!status) return []
  // A conflict about a deleted file has no text to look at.
  return Object.values(status.changedFiles).flatMap(({ isConflicted, path }) => (isConflicted ? [path] : []))
}

function isConflict(error: unknown): error is ProtocolError {
  return error instanceof ProtocolError && error.codeName === 'GIT_PULL_CONFLICT'
}

function conflictsOf({ data }: ProtocolError): string[] {
  const conflicts = typeof data === 'object' && data !== null && 'conflicts' in data ? data.conflicts : []
  return Array.isArray(conflicts) ? conflicts.filter((path): path is string => typeof path === 'string') : []
}

import type { GitCommit, GitCredentials, GitRemotes, GitStatus, NotificationParams } from '@boxyard/protocol'
import type { GitArea } from './api.ts'
import { AreaSync } from './areaSync.ts'
import type { AreaContext } from './areaSync.ts'
import { DevServerClientError } from './errors.ts'
import { Emitter } from './event.ts'

type CommitEnd = NotificationParams<'git/commitFinished'>

/** What the dev server takes at once. */
const MOST_LINES = 1000

/** The repository of the workspace, as the dev server tells of it. */
export class Git implements GitArea {
  readonly #context: AreaContext
  readonly #sync: AreaSync
  readonly #changeEmitter = new Emitter<void>()
  readonly #busyEmitter = new Emitter<boolean>()
  readonly #leaveEmitter = new Emitter<{ branch: string | null }>()
  readonly #renameEmitter = new Emitter<{ oldBranch: string; newBranch: string }>()
  readonly #commitEnds = new Emitter<CommitEnd>()
  /** A commit that went well and is told of when the status after it is known. */
  #goodCommit: CommitEnd | undefined
  #status: GitStatus | undefined
  #remotes: GitRemotes = { origin: '', upstream: '' }
  #isBusy = false

  readonly onDidChange = this.#changeEmitter.event
  readonly onDidChangeBusy = this.#busyEmitter.event
  readonly onDidLeaveBranch = this.#leaveEmitter.event
  readonly onDidRenameBranch = this.#renameEmitter.event

  constructor(context: AreaContext) {
    this.#context = context
    const { connection } = context
    this.#sync = new AreaSync(context, 'git', () => this.#read())
    connection.onNotification('git/status', (status) => this.#take(status))
    connection.onNotification('git/remotes', (remotes) => this.#takeRemotes(remotes))
    connection.onNotification('git/pullStarted', () => this.#setBusy(true))
    connection.onNotification('git/pullFinished', () => this.#setBusy(false))
    connection.onNotification('git/commitStarted', () => this.#setBusy(true))
    connection.onNotification('git/commitFinished', (end) => {
      this.#setBusy(false)
      if (end.exitCode === 0) this.#goodCommit = end
      else this.#commitEnds.fire(end)
    })
    connection.onNotification('git/checkoutPrevented', (left) => this.#leaveEmitter.fire(left))
    connection.onNotification('git/renameBranch', (renamed) => this.#renameEmitter.fire(renamed))
  }

  get ready(): Promise<void> {
    return this.#sync.ready
  }

  get status(): GitStatus | undefined {
    return this.#status
  }

  get remotes(): GitRemotes {
    return this.#remotes
  }

  get isBusy(): boolean {
    return this.#isBusy
  }

  async pull(options: { branch?: string; force?: boolean; credentials?: GitCredentials }): Promise<void> {
    await this.#context.connection.request('git/pull', options)
  }

  async push(credentials?: GitCredentials): Promise<void> {
    await this.#context.connection.request('git/push', credentials ? { credentials } : {})
  }

  async commit(options: Parameters<GitArea['commit']>[0]): Promise<void> {
    const { connection } = this.#context
    // The end is told apart from the answer, which it may follow in the same moment; so it is listened for before.
    const end = this.#endOfCommit()
    try {
      await connection.request('git/commit', options)
    } catch (error) {
      end.stop()
      throw error
    }
    const { exitCode, error } = await end.value
    if (exitCode !== 0)
      throw new DevServerClientError('COMMIT_FAILED', { why: error?.message ?? 'Its terminal says why.' })
  }

  async discard(paths?: string[]): Promise<void> {
    await this.#context.connection.request('git/discard', paths ? { paths } : {})
  }

  async resetToRemote(credentials?: GitCredentials): Promise<void> {
    await this.#context.connection.request('git/resetLocalWithRemote', credentials ? { credentials } : {})
  }

  async checkoutInitialBranch(): Promise<void> {
    await this.#context.connection.request('git/checkoutInitialBranch', {})
  }

  async renameBranch(oldBranch: string, newBranch: string): Promise<void> {
    await this.#context.connection.request('git/renameBranch', { oldBranch, newBranch })
  }

  async pushToRemote(options: Parameters<GitArea['pushToRemote']>[0]): Promise<void> {
    await this.#context.connection.request('git/pushToRemote', options)
  }

  async contentAt(reference: string, path: string): Promise<string> {
    const { content } = await this.#context.connection.request('git/remoteContent', { reference, path })
    return content
  }

  history(path: string, skip: number): Promise<{ commits: GitCommit[]; hasMore: boolean }> {
    return this.#context.connection.request('git/log', { path, skip })
  }

  async deepen(credentials?: GitCredentials): Promise<boolean> {
    const asked = credentials ? { credentials } : {}
    return (await this.#context.connection.request('git/deepen', asked)).deepened
  }

  async transposeLines(
    lines: readonly { sha: string; path: string; line: number }[],
  ): Promise<({ path: string; line: number } | null)[]> {
    const found: ({ path: string; line: number } | null)[] = []
    for (let at = 0; at < lines.length; at += MOST_LINES)
      found.push(...(await this.#context.connection.request('git/transposeLines', lines.slice(at, at + MOST_LINES))))
    return found
  }

  async #read(): Promise<void> {
    const { connection } = this.#context
    // What ran when the connection was lost may have ended meanwhile.
    this.#setBusy(false)
    this.#goodCommit = undefined
    const { capabilities, permissions } = connection.joined ?? {}
    if (capabilities?.git?.status !== true || permissions?.git.status !== true) {
      this.#status = undefined
      this.#changeEmitter.fire()
      return
    }
    await connection.request('git/remotes', {}, { onResult: (remotes) => this.#takeRemotes(remotes) })
    await connection.request('git/status', {}, { onResult: (status) => this.#take(status) })
  }

  #take(status: GitStatus): void {
    this.#status = status
    this.#changeEmitter.fire()
    const ended = this.#goodCommit
    this.#goodCommit = undefined
    if (ended) this.#commitEnds.fire(ended)
  }

  #takeRemotes(remotes: GitRemotes): void {
    this.#remotes = remotes
    this.#changeEmitter.fire()
  }

  #setBusy(isBusy: boolean): void {
    if (isBusy === this.#isBusy) return
    this.#isBusy = isBusy
    this.#busyEmitter.fire(isBusy)
  }

  /** The end of the commit that is asked for next, unless the connection is lost before it: then nobody tells of it any more. */
  #endOfCommit(): { value: Promise<CommitEnd>; stop(): void } {
    let stop = () => {}
    const value = new Promise<CommitEnd>((resolve, reject) => {
      const next = this.#commitEnds.event((told) => {
        stop()
        resolve(told)
      })
      const lost = this.#context.connection.onDidChangeState(({ kind }) => {
        if (kind === 'CONNECTED') return
        stop()
        reject(new DevServerClientError('CONNECTION_LOST', { method: 'git/commit' }))
      })
      stop = () => {
        next.dispose()
        lost.dispose()
      }
    })
    // The request fails with the connection too, and is what the caller hears of then.
    value.catch(() => undefined)
    return { value, stop: () => stop() }
  }
}

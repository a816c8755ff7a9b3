import type { Event } from '@boxyard/dev-server-client'
import type { GitCredentials } from '@boxyard/protocol'

/** The pull request of a branch, as far as the editor shows it. */
export interface BranchPullRequest {
  number: number
  title: string
  /** The state in one word, such as `Draft`, `Open`, `Approved` or `Merged`. */
  state: string
}

/**
 * What the page does for the branch that is open, in the name of the person: what needs the git host goes by it, because the box has no
 * credentials. Every call that fails rejects with words for the person.
 */
export interface BranchHost {
  /** The branch that its work goes to. */
  readonly targetBranch: string
  /** Whether this person may push, and so on. */
  readonly canPush: boolean
  readonly canRename: boolean
  /** Whether a branch can be made of it, which a protected one is there for. */
  readonly canBranch: boolean
  /** For one call of git, asked for anew each time and kept nowhere. */
  credentials(): Promise<GitCredentials>
  /** The last one that was opened for the branch; undefined for none. */
  readonly pullRequest: BranchPullRequest | undefined
  readonly onDidChangePullRequest: Event<void>
  createPullRequest(values: { title: string; body: string; draft: boolean }): Promise<BranchPullRequest>
  showPullRequest(): void
  branches(): Promise<readonly string[]>
  openBranch(name: string): void
  /** Makes a branch of this one and opens it. */
  createBranch(name: string): Promise<void>
  /** Renames it at the git host and in the records of the server. */
  renameBranch(name: string): Promise<void>
}

/** What the page does for a devbox that is to become a repository. */
export interface RepositoryMaker {
  /** A name to begin with. */
  readonly suggestion: string
  /** Makes an empty repository at the git host, and says how the box fills it. */
  create(values: {
    name: string
    isPrivate: boolean
  }): Promise<{ url: string; branch: string; credentials: GitCredentials; open(): Promise<void> }>
}

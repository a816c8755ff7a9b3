import type { Event } from '@boxyard/dev-server-client'
import type { GitCredentials } from '@boxyard/protocol'
import type { OwnEdit } from '../text/typedCopy.ts'

/** The pull request of a branch, as far as the editor shows it. */
export interface BranchPullRequest {
  number: number
  title: string
  /** The state in one word, such as `Draft`, `Open`, `Approved` or `Merged`. */
  state: string
}

/** One of the pull requests of the repository. */
export interface ListedPullRequest extends BranchPullRequest {
  author: string
  /** The branch that it brings. */
  branch: string
  /** The branch that it goes to. */
  target: string
}

/** A comment on a line of a pull request. */
export interface ReviewComment {
  id: string
  /** The first of its thread; null for that one itself. */
  replyTo: string | null
  path: string
  /** In the file at `commit`; null when the pull request has moved on. */
  line: number | null
  commit: string
  author: string
  body: string
  /** ISO 8601. */
  at: string
}

/** What is said about lines of the branch's pull request, done at the git host in the name of the person. */
export interface ReviewHost {
  readonly comments: readonly ReviewComment[]
  /** Another one when the pull request has other commits, was opened or ended. */
  readonly revision: string
  readonly onDidChange: Event<void>
  /** The lines of each file that the pull request is about, in the commit of its head; undefined without an open one. */
  lines(): Promise<{ commit: string; files: ReadonlyMap<string, readonly number[]> } | undefined>
  comment(values: { commit: string; path: string; line: number; body: string }): Promise<void>
  reply(commentId: string, body: string): Promise<void>
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
  /** The branch is pushed to the person's own fork of the repository, which is made when it is needed. */
  readonly pushesToFork: boolean
  /** For one call of git, asked for anew each time and kept nowhere. */
  credentials(use: 'pull' | 'push'): Promise<GitCredentials>
  /** The last one that was opened for the branch; undefined for none. */
  readonly pullRequest: BranchPullRequest | undefined
  readonly onDidChangePullRequest: Event<void>
  /** Undefined for who is not signed in. */
  readonly review: ReviewHost | undefined
  createPullRequest(values: { title: string; body: string; draft: boolean }): Promise<BranchPullRequest>
  /** Opens the review of that one, or of the branch's own, in a window of its own. */
  showPullRequest(number?: number): void
  /** Those of the repository that are open, the newest first. Undefined for who is not signed in. */
  readonly openPullRequests: (() => Promise<readonly ListedPullRequest[]>) | undefined
  branches(): Promise<readonly string[]>
  openBranch(name: string): void
  /** Makes a branch of this one and opens it; without a name it gets one. */
  createBranch(name: string): Promise<void>
  /** Makes a branch of this one that this person may edit and opens it, with what they typed. Undefined where they may edit this one. */
  readonly beginOwnBranch: ((edit: () => OwnEdit) => Promise<void>) | undefined
  /** Removes it at the git host and here, with its machine, and opens the default one. Undefined where that may not be done. */
  readonly removeBranch: (() => Promise<void>) | undefined
  /** Whether it is protected from being edited, and the way to change that; undefined for who may not. */
  readonly protection: { readonly isProtected: boolean; change(isProtected: boolean): Promise<void> } | undefined
  /** Renames it at the git host and in the records of the server. False where the name is taken, which the page has said. */
  renameBranch(name: string): Promise<boolean>
}

/** What the page does for a devbox that is to become a repository. */
export interface RepositoryMaker {
  /** A name to begin with. */
  readonly suggestion: string
  /** Whether the person came for that. */
  readonly asksAtOnce: boolean
  /** Makes an empty repository at the git host, and says how the box fills it. */
  create(values: {
    name: string
    isPrivate: boolean
  }): Promise<{ url: string; branch: string; credentials: GitCredentials; open(): Promise<void> }>
}

import { definePolicy } from './policy.ts'

/** What someone is to a repository, and with it to its branches, weakest first. */
export const branchRoles = ['none', 'read', 'write', 'admin'] as const
export type BranchRole = (typeof branchRoles)[number]

const readers = ['read', 'write', 'admin'] as const
const writers = ['write', 'admin'] as const
const admins = ['admin'] as const

/**
 * Who may do what with a branch: one row an operation. Whoever owns a contribution branch counts as `write` on it. `whatHolds`
 * below says what the state of the branch takes away again.
 */
export const branchPolicy = {
  see: readers,
  open: readers,
  /** Change files, and use terminals and tasks. */
  edit: writers,
  restart: writers,
  secrets: writers,
  /** Make a branch from it. */
  branch: writers,
  /** Make a contribution branch from it. */
  contribute: readers,
  rename: writers,
  vscode: writers,
  startLiveSession: writers,
  delete: writers,
  protect: admins,
  /** Choose how strong its machine is. */
  changeMachine: admins,
  /** Open, comment, review and merge pull requests. The git host has the last word. */
  openPullRequest: writers,
  comment: readers,
  review: readers,
  requestReview: writers,
  dismissReview: writers,
  merge: writers,
  /** Say what artificial intelligence may do with the repository. */
  consent: admins,
} as const satisfies Record<string, readonly BranchRole[]>

export type BranchOperation = keyof typeof branchPolicy
export type BranchAbilities = Record<BranchOperation, boolean>

export const branchPolicies = definePolicy<BranchRole, BranchOperation>(branchRoles, branchPolicy)

/** What a protected branch and a contribution branch do not allow, whoever asks. */
export function holdsOnBranch(
  operation: BranchOperation,
  { isProtected, isContribution }: { isProtected: boolean; isContribution: boolean },
): boolean {
  if (isProtected && ['edit', 'rename', 'vscode', 'startLiveSession', 'delete'].includes(operation)) return false
  return !(isContribution && operation === 'branch')
}

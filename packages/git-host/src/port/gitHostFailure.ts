/** Why a git host did not do what it was asked: what happened, and what the person can do. */
export const gitHostFailures = {
  SIGN_IN_NEEDED: {
    message: 'The git host does not know who you are any more',
    next: 'Connect your account at the git host again.',
  },
  SCOPE_MISSING: {
    message: 'Your account at the git host did not allow this',
    next: 'Review the permissions at the git host and allow access to repositories.',
  },
  FORBIDDEN: {
    message: 'The git host does not allow you to do this',
    next: 'Ask an owner of the repository for more rights, or an owner of the organization to approve this app.',
  },
  NOT_FOUND: {
    message: 'The git host does not have this, or you may not see it',
    next: 'Check the name, or review the permissions at the git host: private repositories need their own.',
  },
  CONFLICT: {
    message: 'Something changed at the git host in the meantime',
    next: 'Nothing was done. Look at it again and try once more.',
  },
  REFUSED: { message: 'The git host refused this', next: 'Correct what it names and try again.' },
  RATE_LIMITED: { message: 'The git host answers no more questions for now', next: 'Wait a while and try again.' },
  UNREACHABLE: { message: 'The git host does not answer', next: 'Nothing was lost. Try again in a moment.' },
} as const satisfies Record<string, { message: string; next: string }>

export type GitHostFailureCode = keyof typeof gitHostFailures

export class GitHostFailure extends Error {
  readonly code: GitHostFailureCode
  /** What the git host said itself. */
  readonly detail: string | null
  /** The scopes one of which would have been enough, when the host said so. */
  readonly scopes: readonly string[]

  constructor(
    code: GitHostFailureCode,
    detail: string | null,
    options: { cause?: unknown; scopes?: readonly string[] } = {},
  ) {
    super(gitHostFailures[code].message, { cause: options.cause })
    this.name = 'GitHostFailure'
    this.code = code
    this.detail = detail
    this.scopes = options.scopes ?? []
  }

  get next(): string {
    return gitHostFailures[this.code].next
  }
}

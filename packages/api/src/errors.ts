/**
 * The error catalogue of the platform API. `message` says what happened, `next` what the person can do.
 * Some clients test the beginnings of messages, so those stay as they are.
 */
export const apiErrors = {
  INVALID_INPUT: { status: 422, message: 'Some of what was sent is not valid', next: 'Correct it and send it again.' },
  MALFORMED: { status: 400, message: 'The request can not be read', next: 'Check its body and its content type.' },
  UNAUTHENTICATED: { status: 401, message: 'You need to sign in to do this', next: 'Sign in and try again.' },
  FORBIDDEN: { status: 403, message: 'You are not allowed to do this', next: 'Ask an owner for more rights.' },
  CROSS_SITE: {
    status: 403,
    message: 'This request came from another site and was refused',
    next: 'Do it from the app itself, or send a bearer token without cookies.',
  },
  NOT_FOUND: {
    status: 404,
    message: 'Not found',
    next: 'Check the address. It may be private: sign in with an account that has access.',
  },
  WORKSPACE_FROZEN: {
    status: 402,
    message: 'This workspace is frozen',
    next: 'Nothing is lost. An administrator of the workspace can see why on its billing page.',
  },
  WORKSPACE_ACCESS_NEEDED: {
    status: 403,
    message: 'Could not access workspace',
    next: 'This repository is in a workspace that you are not a member of. Ask the administrators of the workspace to let you in, or open the repository read-only.',
  },
  LIMIT_REACHED: {
    status: 403,
    message: 'You reached the maximum of this plan',
    next: 'Delete something you no longer need, or choose a larger plan.',
  },
  SANDBOX_FROZEN: {
    status: 403,
    message: 'This sandbox is frozen, so its files stay as they are',
    next: 'Fork it and change the fork.',
  },
  WORKSPACE_FORBIDS: {
    status: 403,
    message: 'The settings of the workspace do not allow this',
    next: 'Ask an administrator of the workspace to change its settings.',
  },
  LAST_ADMIN: {
    status: 409,
    message: 'A workspace needs at least one administrator',
    next: 'Make somebody else an administrator first, or delete the workspace.',
  },
  CONFLICT: {
    status: 409,
    message: 'This does not fit with what is there now',
    next: 'Load it again and look at what has changed.',
  },
  USERNAME_TAKEN: { status: 409, message: 'This username is taken', next: 'Choose another one.' },
  FILE_EXISTS: {
    status: 409,
    message: 'A file or folder of this name exists already',
    next: 'Choose another name.',
  },
  PACK_FAILED: {
    status: 422,
    message: 'The dependencies can not be made ready for the browser',
    next: 'Read what is said about them and correct package.json.',
  },
  ALREADY_SIGNED_UP: { status: 409, message: 'This account exists already', next: 'Sign in.' },
  SIGN_UP_EXPIRED: { status: 404, message: 'This sign-up is not found or has expired', next: 'Sign in again.' },
  /** The clients of single sign-on show a text of their own for this status. */
  SSO_UNKNOWN: {
    status: 422,
    message: 'Nobody signs in by single sign-on with this address',
    next: 'Please contact your team admin or sign in through a different method.',
  },
  DOMAIN_NOT_PROVEN: {
    status: 409,
    message: 'The TXT record of this domain was not found',
    next: 'Add the record where the domain is managed, wait until it is published, and verify again.',
  },
  DOMAIN_TAKEN: {
    status: 409,
    message: 'Another workspace has verified this domain',
    next: 'Remove it there first.',
  },
  CODE_EXPIRED: {
    status: 404,
    message: 'This code is not known, was used already or has expired',
    next: 'Get a new one.',
  },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request is too large', next: 'Send less at once.' },
  RATE_LIMITED: { status: 429, message: 'There were too many attempts', next: 'Wait a minute and try again.' },
  GIT_HOST_NOT_CONNECTED: {
    status: 403,
    message: 'Your account at the git host is not connected',
    next: 'Connect it and allow access to repositories.',
  },
  GIT_HOST_SCOPE_MISSING: {
    status: 403,
    message: 'Your account at the git host did not allow this',
    next: 'Review the permissions at the git host and allow access to repositories.',
  },
  GIT_HOST_FORBIDDEN: {
    status: 403,
    message: 'The git host does not allow you to do this',
    next: 'Ask an owner of the repository for more rights, or an owner of the organization to approve this app.',
  },
  GIT_HOST_CONFLICT: {
    status: 409,
    message: 'Something changed at the git host in the meantime',
    next: 'Nothing was done. Look at it again and try once more.',
  },
  GIT_HOST_REFUSED: {
    status: 422,
    message: 'The git host refused this',
    next: 'Correct what it names and try again.',
  },
  GIT_HOST_UNREACHABLE: {
    status: 503,
    message: 'The git host does not answer',
    next: 'Nothing was lost. Try again in a moment.',
  },
  NOT_SET_UP: {
    status: 503,
    message: 'This server is not set up for this',
    next: 'Ask its administrator; the guide to the settings says what is missing.',
  },
  PAYMENT_NEEDED: {
    status: 409,
    message: 'This plan is paid for before it begins',
    next: 'Go through the checkout on the billing page of the workspace.',
  },
  PAYMENT_REFUSED: {
    status: 422,
    message: 'The payment provider refused this',
    next: 'Nothing was billed. Correct what it names, or use another card.',
  },
  PAYMENT_UNREACHABLE: {
    status: 503,
    message: 'The payment provider does not answer',
    next: 'The plan is as it was. Try again in a moment.',
  },
  EXTENSION_REGISTRY_UNREACHABLE: {
    status: 503,
    message: 'The extension registry does not answer',
    next: 'Extensions that you have installed go on working. Try again in a moment, or ask the administrator of this server to look at its extension registry.',
  },
  BRANCH_EXISTS: { status: 409, message: 'Branch already exists', next: 'Open it, or choose another name.' },
  MACHINES_UNAVAILABLE: {
    status: 503,
    message: 'This server can not run devboxes',
    next: 'Read in the log of the server why no way to run boxes works.',
  },
  MACHINE_FAILED: {
    status: 500,
    message: 'The machine could not be reached',
    next: 'Try again; its files are safe. The log of its start says why.',
  },
  UNAVAILABLE: {
    status: 503,
    message: 'A part of the server is down',
    next: 'Nothing that was saved is lost. Try again in a moment.',
  },
  INTERNAL: {
    status: 500,
    message: 'Something failed in the server',
    next: 'Nothing that was saved is lost. Try again; the log of the server has the cause.',
  },
} as const satisfies Record<string, { status: number; message: string; next: string }>

export type ApiErrorCode = keyof typeof apiErrors

/** What went wrong with single fields, by name. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>

export class ApiError extends Error {
  readonly code: ApiErrorCode
  readonly status: number
  readonly fields: FieldErrors | undefined

  /** `detail` replaces the message of the catalogue where it can be more exact. */
  constructor(code: ApiErrorCode, options: { detail?: string; fields?: FieldErrors; cause?: unknown } = {}) {
    super(options.detail ?? apiErrors[code].message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'ApiError'
    this.code = code
    this.status = apiErrors[code].status
    this.fields = options.fields
  }

  get next(): string {
    return apiErrors[this.code].next
  }
}

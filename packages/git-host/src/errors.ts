/** What the pages of the git host say when something is refused, and what to do next. */
export const gitHostErrors = {
  WRONG_CREDENTIALS: {
    status: 401,
    message: 'The user name or the password is wrong',
    next: 'Check both and try again.',
  },
  LOCKED_OUT: {
    status: 429,
    message: 'There were too many attempts to sign in',
    next: 'Wait 15 minutes and try again. Nothing about the account was changed.',
  },
  INVALID_FIELDS: {
    status: 422,
    message: 'Some fields need another look',
    next: 'Correct them and send the form again.',
  },
  LOGIN_TAKEN: { status: 409, message: 'This user name is taken', next: 'Choose another one.' },
  LINK_EXPIRED: {
    status: 404,
    message: 'This link was used already or is too old',
    next: 'Ask for a new one on the sign-in page.',
  },
  NOT_ADMITTED: {
    status: 403,
    message: 'New accounts need an invitation',
    next: 'Ask the administrator of this server for an invitation link.',
  },
  STALE_FORM: {
    status: 403,
    message: 'This form is too old or came from another site',
    next: 'Nothing was sent. Fill it in again and send it.',
  },
  UNKNOWN_CLIENT: {
    status: 400,
    message: 'The program that asked for sign-in is not known here',
    next: 'Go back to it and start again, or check its client id.',
  },
  WRONG_REDIRECT: {
    status: 400,
    message: 'The program that asked for sign-in gave an address that is not registered for it',
    next: 'Check its redirect address. You were not sent there.',
  },
  FORBIDDEN: { status: 403, message: 'Only an administrator may do this', next: 'Ask an administrator.' },
  NOT_FOUND: { status: 404, message: 'There is no such page', next: 'Go back to the start page.' },
} as const satisfies Record<string, { status: number; message: string; next: string }>

export type GitHostErrorCode = keyof typeof gitHostErrors

export class GitHostError extends Error {
  readonly code: GitHostErrorCode
  readonly status: number
  /** Messages for single fields of the form, by name. */
  readonly fields: Readonly<Record<string, string>>

  constructor(code: GitHostErrorCode, fields: Readonly<Record<string, string>> = {}) {
    super(gitHostErrors[code].message)
    this.name = 'GitHostError'
    this.code = code
    this.status = gitHostErrors[code].status
    this.fields = fields
  }
}

/** The error catalogue of boxes. `message` is for the page, `next` is what the person can do. */
export const boxErrors = {
  BOX_NOT_FOUND: { message: 'This box does not exist', next: 'Go back to the dashboard and open another one.' },
  BOX_EXISTS: { message: 'A box with this id exists already', next: 'Open the existing one.' },
  BOX_INVALID: {
    message: 'The description of the box is not valid',
    next: 'Correct what the message names and try again.',
  },
  BOX_NOT_RUNNING: { message: 'The box is not running', next: 'Start it and try again.' },
  PORT_CLOSED: { message: 'Nothing listens on this port', next: 'Start a task that serves it.' },
  DISK_FULL: {
    message: 'The disk of the host is full',
    next: 'Free some space on the host; nothing that was saved is lost.',
  },
  DISK_FAILED: {
    message: 'The disk of the box could not be prepared',
    next: 'Try again; if it fails again, look at the log of the server.',
  },
  SANDBOX_FAILED: { message: 'The sandbox around the box could not be started', next: 'Look at the log of the start.' },
  DEV_SERVER_FAILED: {
    message: 'The dev server in the box did not start',
    next: 'Restart the box; its files are safe.',
  },
  DEV_SERVER_LOST: {
    message: 'The dev server in the box ended again and again',
    next: 'Look at the log, then restart the box; everything that was saved is safe.',
  },
  DEADLINE: { message: 'The box did not start in time', next: 'Restart the box; its files are safe.' },
  UNSUPPORTED: {
    message: 'This way of running boxes can not do that',
    next: 'Choose another driver in the server configuration.',
  },
  RECORD_FAILED: {
    message: 'The state of the box could not be saved',
    next: 'Try again; if it fails again, look at the log of the server.',
  },
  NO_DRIVER: {
    message: 'No way to run boxes works on this machine',
    next: 'Install bubblewrap, or read the reasons in the log of the server.',
  },
} as const

export type BoxErrorCode = keyof typeof boxErrors

/** Failures that a second attempt may get past without anyone doing anything. */
export const retryableBoxErrors: ReadonlySet<BoxErrorCode> = new Set(['DISK_FAILED', 'SANDBOX_FAILED', 'DEADLINE'])

export class BoxError extends Error {
  readonly code: BoxErrorCode
  /** What exactly happened, or null. */
  readonly detail: string | null

  /** `detail` says what exactly happened, for logs and for the details of the error page. */
  constructor(code: BoxErrorCode, detail?: string, options?: ErrorOptions) {
    super(detail ? `${boxErrors[code].message}: ${detail}` : boxErrors[code].message, options)
    this.name = 'BoxError'
    this.code = code
    this.detail = detail ?? null
  }
}

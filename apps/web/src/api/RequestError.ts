export type ErrorClass = 'NOT_FOUND' | 'WORKSPACE_FROZEN' | 'UNAUTHORIZED' | 'OTHER'

export interface RequestErrorFields {
  /** The HTTP status, or 0 when no answer came. */
  status: number
  message: string
  /** The first of several messages. */
  firstMessage?: string | undefined
  /** The code of the server's error catalogue. */
  code?: string | undefined
  /** The phase of a start that failed. */
  phase?: string | undefined
  /** What exactly happened, beside the message. */
  detail?: string | undefined
  /** What the person can do next, as the server says it. */
  next?: string | undefined
}

/** A call of the API that did not succeed. */
export class RequestError extends Error {
  readonly status: number
  readonly firstMessage: string | undefined
  readonly code: string | undefined
  readonly phase: string | undefined
  readonly detail: string | undefined
  readonly next: string | undefined

  constructor(fields: RequestErrorFields, options?: ErrorOptions) {
    super(fields.message, options)
    this.name = 'RequestError'
    this.status = fields.status
    this.firstMessage = fields.firstMessage
    this.code = fields.code
    this.phase = fields.phase
    this.detail = fields.detail
    this.next = fields.next
  }
}

/** Sorts any error into the few kinds that pages treat differently. */
export function classify(error: unknown): ErrorClass {
  if (!(error instanceof RequestError)) return 'OTHER'
  if (error.status === 404 || /not found/i.test(error.message)) return 'NOT_FOUND'
  if (error.status === 402) return 'WORKSPACE_FROZEN'
  if (error.status === 401) return 'UNAUTHORIZED'
  return 'OTHER'
}

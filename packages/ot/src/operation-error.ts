/**
 * Everything this package refuses to do, with what the caller does next.
 * The codes are part of the contract; the messages are for logs.
 */
export const OPERATION_ERRORS = {
  MALFORMED: {
    message: 'The value is not a text operation.',
    next: 'Answer the sender with an error; the sender opens the document again.',
  },
  TOO_LARGE: {
    message: 'The operation has more components or more text than allowed.',
    next: 'Answer the sender with an error; split the change into smaller ones.',
  },
  LENGTH_MISMATCH: {
    message: 'The operation was made for a text of another length.',
    next: 'Open the document again and rebase the unsent work on the answer.',
  },
  DOCUMENT_TOO_LARGE: {
    message: 'The document would grow past its largest length.',
    next: 'Keep the document as it is and tell the author which length is allowed.',
  },
  REVISION_INVALID: {
    message: 'The revision is not a whole number of at least zero.',
    next: 'Answer the sender with an error; the sender opens the document again.',
  },
  REVISION_AHEAD: {
    message: 'The revision is newer than the document.',
    next: 'Answer the sender with an error; the sender opens the document again.',
  },
  REVISION_TOO_OLD: {
    message: 'The revision is older than the operations kept for replay.',
    next: 'Send the whole text; the client takes over the difference.',
  },
  SEQUENCE_TOO_OLD: {
    message: 'The client sent an operation older than its last accepted one.',
    next: 'Answer the sender with an error; the sender opens the document again.',
  },
  NOTHING_IN_FLIGHT: {
    message: 'An acknowledgement arrived while no operation was in flight.',
    next: 'Open the document again and rebase the unsent work on the answer.',
  },
  REPLAY_MISMATCH: {
    message: 'The replayed operations do not follow from what this document has.',
    next: 'Ask for the whole text and resync with it.',
  },
  ACKNOWLEDGEMENT_OUT_OF_ORDER: {
    message: 'The operation in flight was accepted at another place in the order than this document has reached.',
    next: 'Replay from the revision of this document; the own operation is found at its place.',
  },
} as const

export type OperationErrorCode = keyof typeof OPERATION_ERRORS

export class OperationError extends Error {
  override readonly name = 'OperationError'
  readonly code: OperationErrorCode

  constructor(code: OperationErrorCode, detail?: string) {
    super(detail === undefined ? OPERATION_ERRORS[code].message : `${OPERATION_ERRORS[code].message} ${detail}`)
    this.code = code
  }
}

export { ClientDocument } from './client-document.ts'
export type { ClientDocumentOptions, ClientDocumentState, OutgoingOperation, ResyncAnswer } from './client-document.ts'
export { compose } from './compose.ts'
export { diff } from './diff.ts'
export { DocumentHistory } from './document-history.ts'
export type {
  AcceptedOperation,
  DocumentSnapshot,
  HistoryLimits,
  OperationAuthor,
  Reception,
} from './document-history.ts'
export { OPERATION_ERRORS, OperationError } from './operation-error.ts'
export type { OperationErrorCode } from './operation-error.ts'
export {
  apply,
  baseLength,
  invert,
  isNoop,
  MAXIMUM_COMPONENTS,
  MAXIMUM_DOCUMENT_LENGTH,
  noop,
  parseOperation,
  targetLength,
} from './operation.ts'
export type { TextOperation } from './operation.ts'
export { caretsAfter, transformPosition, transformSelection } from './position.ts'
export type { Bias, Selection } from './position.ts'
export { transform } from './transform.ts'
export type { UndoAction, UndoResult } from './undo-manager.ts'

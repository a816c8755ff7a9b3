/** What the workbench itself refuses. Failures of the dev server are protocol errors. */
export const workbenchErrors = {
  ALREADY_OPEN: {
    message: 'This page has a workbench already',
    next: 'Load the page anew to open another project.',
  },
  NO_ELEMENT: {
    message: 'Invalid dom node used for mounting',
    next: 'Give it an element that is on the page.',
  },
} as const

export type WorkbenchErrorCode = keyof typeof workbenchErrors

export class WorkbenchError extends Error {
  override readonly name = 'WorkbenchError'
  readonly code: WorkbenchErrorCode

  constructor(code: WorkbenchErrorCode) {
    super(workbenchErrors[code].message)
    this.code = code
  }

  get next(): string {
    return workbenchErrors[this.code].next
  }
}

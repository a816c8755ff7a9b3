export interface FieldProblem {
  resource: string
  field?: string
  code: string
  message?: string
}

/** A refusal in the form of GitHub's REST API. */
export class RestError extends Error {
  readonly status: number
  readonly errors: readonly FieldProblem[] | undefined

  constructor(status: number, message: string, errors?: readonly FieldProblem[]) {
    super(message)
    this.name = 'RestError'
    this.status = status
    this.errors = errors
  }

  static notFound(): RestError {
    return new RestError(404, 'Not Found')
  }

  static invalid(resource: string, field: string, code: string, message?: string): RestError {
    return new RestError(422, 'Validation Failed', [
      { resource, field, code, ...(message === undefined ? {} : { message }) },
    ])
  }
}

/** A start that cannot go on for a reason a person can remove. Printed as it is, without a stack. */
export class StartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StartError'
  }
}

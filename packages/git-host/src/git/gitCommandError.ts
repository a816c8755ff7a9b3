/** A git that ended with a status nobody expected. */
export class GitCommandError extends Error {
  readonly status: number | null
  /** The end of what it wrote on its standard error. */
  readonly said: string

  constructor(command: string, status: number | null, said: string) {
    super(`git ${command} ended with ${status ?? 'a signal'}: ${said}`)
    this.name = 'GitCommandError'
    this.status = status
    this.said = said
  }
}

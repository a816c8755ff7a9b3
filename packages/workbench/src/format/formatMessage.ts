/** To the worker that formats. */
export interface FormatRequest {
  id: number
  /** With line feeds. */
  text: string
  /** Of Prettier; `parser` among them. */
  options: Record<string, unknown>
}

export interface FormatProblem {
  message: string
  /** Both from 1; undefined when it is not about a place. */
  line: number | undefined
  column: number | undefined
}

export type FormatAnswer = { id: number; text: string } | { id: number; problem: FormatProblem }

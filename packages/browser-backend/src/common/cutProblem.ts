import { limits } from './agentMessages.ts'
import type { ProjectProblem } from './messages.ts'

const cut = (words: string) => (words.length > limits.text ? `${words.slice(0, limits.text - 1)}…` : words)
const place = (number: number | null) => (number !== null && Number.isInteger(number) && number > 0 ? number : null)

/** A problem as it may be told: messages of compilers and of errors can be of any length, and their places of any kind. */
export function cutProblem({ message, file, line, column, frame }: ProjectProblem): ProjectProblem {
  return {
    message: cut(message),
    file: file !== null && file.startsWith('/') && file.length <= limits.path ? file : null,
    line: place(line),
    column: place(column),
    frame: frame === null ? null : cut(frame),
  }
}

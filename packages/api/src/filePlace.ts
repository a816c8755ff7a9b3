/** A file of a workspace, and where in it. */
export interface FilePlace {
  /** Relative to the workspace. */
  path: string
  /** Both from 1; the column in UTF-16 units. */
  position: { line: number; column: number } | undefined
}

const WITH_POSITION = /^(.+?):([1-9]\d{0,8})(?::([1-9]\d{0,8}))?$/s

/** What an address says in `file`: a path, with or without a slash in front, and maybe `:line` or `:line:column` behind it. */
export function filePlace(text: string): FilePlace {
  const [, path = text, line, column = '1'] = WITH_POSITION.exec(text) ?? []
  return {
    path: path.replace(/^\/+/, ''),
    position: line === undefined ? undefined : { line: Number(line), column: Number(column) },
  }
}

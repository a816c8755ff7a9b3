import type { GitShortStatus } from '@boxyard/protocol'

export interface StatusEntry {
  path: string
  /** Where a renamed or copied file came from. */
  oldPath?: string
  index: GitShortStatus
  workingTree: GitShortStatus
  isConflicted: boolean
}

export interface ParsedStatus {
  /** Undefined before the first commit. */
  head: string | undefined
  /** Null when no branch is checked out. */
  branch: string | null
  upstream: string | null
  entries: StatusEntry[]
}

const letters: Readonly<Record<string, GitShortStatus>> = {
  '.': '',
  M: 'M',
  // The type of a file changed: for people that is a change like any other.
  T: 'M',
  A: 'A',
  D: 'D',
  R: 'R',
  C: 'C',
  U: 'U',
  '?': '?',
}

function shortStatus(letter: string | undefined): GitShortStatus {
  const status = letter === undefined ? undefined : letters[letter]
  if (status === undefined) throw new Error(`Git told an unknown status: ${letter}`)
  return status
}

/** Parses `git status --porcelain=v2 --branch -z`. Throws for a status that is not known. */
export function parseStatus(output: string): ParsedStatus {
  const status: ParsedStatus = { head: undefined, branch: null, upstream: null, entries: [] }
  const records = output.split('\0')
  for (let at = 0; at < records.length; at += 1) {
    const record = records[at]!
    const kind = record[0]
    if (kind === '#') readHeader(record, status)
    else if (kind === '1') status.entries.push(entryOf(record, 8))
    else if (kind === 'u') status.entries.push({ ...entryOf(record, 10), isConflicted: true })
    else if (kind === '?') {
      status.entries.push({ path: record.slice(2), index: '', workingTree: '?', isConflicted: false })
    } else if (kind === '2') {
      at += 1
      status.entries.push({ ...entryOf(record, 9), oldPath: records[at]! })
    }
  }
  return status
}

function readHeader(record: string, status: ParsedStatus): void {
  const [, name, value = ''] = /^# (\S+) (.*)$/s.exec(record) ?? []
  if (name === 'branch.oid') status.head = value === '(initial)' ? undefined : value
  else if (name === 'branch.head') status.branch = value === '(detached)' ? null : value
  else if (name === 'branch.upstream') status.upstream = value
}

/** The path is what follows `fields` fields, and may hold blanks itself. */
function entryOf(record: string, fields: number): StatusEntry {
  let start = 0
  for (let field = 0; field < fields; field += 1) start = record.indexOf(' ', start) + 1
  return {
    path: record.slice(start),
    index: shortStatus(record[2]),
    workingTree: shortStatus(record[3]),
    isConflicted: false,
  }
}

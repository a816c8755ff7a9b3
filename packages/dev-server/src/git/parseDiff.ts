import type { GitDiffFile, GitShortStatus } from '@boxyard/protocol'

interface RawEntry {
  /** A type change, which the patch tells as a removal and an addition. */
  isTypeChange: boolean
  status: GitShortStatus
  path: string
  oldPath?: string
}

/** Parses `git diff --raw -p -U0 -M -z`: what happened to which file, and which lines of it changed. */
export function parseDiff(output: string): GitDiffFile[] {
  const { entries, patch } = readRaw(output)
  const sections = readPatch(patch)
  let next = 0
  return entries.map(({ isTypeChange, ...entry }) => {
    const own = sections.slice(next, next + (isTypeChange ? 2 : 1))
    next += own.length
    return { ...entry, hunks: own.flat() }
  })
}

function readRaw(output: string): { entries: RawEntry[]; patch: string } {
  const entries: RawEntry[] = []
  let at = 0
  const take = (): string => {
    const end = output.indexOf('\0', at)
    const field = output.slice(at, end < 0 ? output.length : end)
    at = end < 0 ? output.length : end + 1
    return field
  }
  while (output[at] === ':') {
    const letter = take().split(' ').at(-1)![0]!
    const first = take()
    const isMove = letter === 'R' || letter === 'C'
    const status = (letter === 'T' ? 'M' : letter) as GitShortStatus
    entries.push({
      isTypeChange: letter === 'T',
      status,
      ...(isMove ? { oldPath: first, path: take() } : { path: first }),
    })
  }
  // A NUL stands between the two parts.
  return { entries, patch: output.slice(at).replace(/^\0/, '') }
}

/** The hunks of each file. Without context every line of a body begins with +, - or a backslash, so headers can't be mistaken. */
function readPatch(patch: string): GitDiffFile['hunks'][] {
  const sections: GitDiffFile['hunks'][] = []
  for (const line of patch.split('\n')) {
    if (line.startsWith('diff --git ')) sections.push([])
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line)
    if (hunk) sections.at(-1)?.push({ original: range(hunk[1]!, hunk[2]), modified: range(hunk[3]!, hunk[4]) })
  }
  return sections
}

/** Git names the line before an empty range; here it stands where lines would be. */
function range(start: string, count = '1'): { start: number; end: number } {
  const length = Number(count)
  const first = Number(start) + (length === 0 ? 1 : 0)
  return { start: first, end: first + length }
}

export type FileStatus = 'added' | 'removed' | 'modified' | 'renamed'

export interface FileDiff {
  path: string
  /** Where it was before, when it was renamed. */
  previousPath: string | null
  status: FileStatus
  additions: number
  deletions: number
  /** Blob after the change, or before it for a removed file. */
  sha: string
  /** Hunks only, without the headers of the file; null for binary and for very long changes. */
  patch: string | null
}

const LONGEST_PATCH = 400_000

/** Reads `git diff --raw --numstat -z` and the patches of `git diff -p`, which list the same files in the same order. */
export function parseFileDiffs(raw: string, patch: string): FileDiff[] {
  const tokens = raw.split('\0')
  const files: FileDiff[] = []
  let index = 0
  while (tokens[index]?.startsWith(':')) {
    const [, , before, after, letter] = tokens[index]!.split(' ')
    const renamed = /^[RC]/.test(letter!)
    const previousPath = renamed ? tokens[index + 1]! : null
    const path = tokens[index + (renamed ? 2 : 1)]!
    files.push({
      path,
      previousPath,
      status: renamed ? 'renamed' : letter === 'A' ? 'added' : letter === 'D' ? 'removed' : 'modified',
      additions: 0,
      deletions: 0,
      sha: letter === 'D' ? before! : after!,
      patch: null,
    })
    index += renamed ? 3 : 2
  }
  for (const file of files) {
    const [added, removed] = tokens[index]!.split('\t')
    file.additions = added === '-' ? 0 : Number(added)
    file.deletions = removed === '-' ? 0 : Number(removed)
    index += file.previousPath === null ? 1 : 3
  }
  const patches = patch.split(/^diff --git .*\n/m).slice(1)
  for (const [position, file] of files.entries()) {
    const hunks = /^@@ .*$/ms.exec(patches[position] ?? '')?.[0] ?? null
    file.patch = hunks !== null && hunks.length <= LONGEST_PATCH ? hunks.replace(/\n$/, '') : null
  }
  return files
}

export interface DiffLine {
  /** Number on the old and on the new side; null where the line is not there. */
  left: number | null
  right: number | null
  text: string
  hunk: number
}

/** The lines of a patch with their numbers on both sides. */
export function diffLines(patch: string): DiffLine[] {
  const lines: DiffLine[] = []
  let left = 0
  let right = 0
  let hunk = -1
  for (const text of patch.split('\n')) {
    const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text)
    if (header) {
      left = Number(header[1])
      right = Number(header[2])
      hunk += 1
      lines.push({ left: null, right: null, text, hunk })
    } else if (text.startsWith('+')) lines.push({ left: null, right: right++, text, hunk })
    else if (text.startsWith('-')) lines.push({ left: left++, right: null, text, hunk })
    else if (!text.startsWith('\\')) lines.push({ left: left++, right: right++, text, hunk })
  }
  return lines
}

/** The part of a patch that leads to a line, as a comment shows it, or null when the line is not in the patch. */
export function diffHunkOf(patch: string, line: number, side: 'LEFT' | 'RIGHT'): string | null {
  const lines = diffLines(patch)
  const at = lines.findIndex((candidate) => (side === 'LEFT' ? candidate.left : candidate.right) === line)
  if (at === -1) return null
  const { hunk } = lines[at]!
  const start = lines.findIndex((candidate) => candidate.hunk === hunk)
  return lines
    .slice(start, at + 1)
    .map(({ text }) => text)
    .join('\n')
}

import type { GitDiffFile } from '@boxyard/protocol'

/** Where a line of an earlier state is now, or null when it was changed or removed. `files` is everything that changed since. */
export function transposeLine(
  files: readonly GitDiffFile[],
  path: string,
  line: number,
): { path: string; line: number } | null {
  // A copy leaves its source where it was.
  const file = files.find((one) => (one.status === 'C' ? one.path : (one.oldPath ?? one.path)) === path)
  if (!file) return { path, line }
  if (file.status === 'D' || file.status === 'A') return null
  let shift = 0
  for (const { original, modified } of file.hunks) {
    if (line < original.start) break
    if (line < original.end) return null
    shift += modified.end - modified.start - (original.end - original.start)
  }
  return { path: file.path, line: line + shift }
}

export interface DiffLine {
  kind: 'hunk' | 'same' | 'added' | 'removed'
  left: number | null
  right: number | null
  text: string
}

/** The lines of a patch with their numbers before and after the change. */
export function diffLines(patch: string): DiffLine[] {
  let left = 0
  let right = 0
  const lines: DiffLine[] = []
  for (const text of patch.split('\n')) {
    const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text)
    if (header) {
      left = Number(header[1])
      right = Number(header[2])
      lines.push({ kind: 'hunk', left: null, right: null, text })
    } else if (text.startsWith('+')) lines.push({ kind: 'added', left: null, right: right++, text: text.slice(1) })
    else if (text.startsWith('-')) lines.push({ kind: 'removed', left: left++, right: null, text: text.slice(1) })
    else if (!text.startsWith('\\')) lines.push({ kind: 'same', left: left++, right: right++, text: text.slice(1) })
  }
  return lines
}

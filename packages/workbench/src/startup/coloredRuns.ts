export interface ColoredRun {
  /** From 0. */
  line: number
  /** In UTF-16 units of the line. */
  start: number
  end: number
  /** Number of a color. */
  color: number
}

/** The runs of one color each of a text, from pairs of a length and the number of a color, a line each. What is behind the text is left out. */
export function coloredRuns(text: string, lines: readonly (readonly number[])[]): ColoredRun[] {
  const lengths = text.split('\n').map(({ length }) => length)
  return lines.flatMap((pairs, line) => {
    const length = lengths[line] ?? 0
    const runs: ColoredRun[] = []
    let start = 0
    for (let at = 0; at + 1 < pairs.length && start < length; at += 2) {
      const end = Math.min(start + pairs[at]!, length)
      if (end > start) runs.push({ line, start, end, color: pairs[at + 1]! })
      start = end
    }
    return runs
  })
}

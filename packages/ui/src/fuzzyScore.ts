const isBoundary = (text: string, index: number) => {
  if (index === 0) return true
  const before = text[index - 1] ?? ''
  const here = text[index] ?? ''
  return /[\s/_.:-]/.test(before) || (/[a-z]/.test(before) && /[A-Z]/.test(here))
}

/**
 * How well `query` matches `text`: its characters must occur in order, case and spaces aside. Null is no match, higher is better.
 * Matches at the start and at the start of words count most, then runs of neighbours; gaps and left-over text cost a little.
 */
export function fuzzyScore(query: string, text: string): number | null {
  const wanted = [...query.toLowerCase()].filter((character) => character.trim() !== '')
  if (wanted.length === 0) return 0
  const lower = text.toLowerCase()
  // Case folding changes the length of a few letters; then word boundaries are looked up in the folded text.
  const cased = lower.length === text.length ? text : lower

  // best[i] is the best score of the characters so far, with the last of them matched at i.
  let best = new Map<number, number>()
  for (const [order, character] of wanted.entries()) {
    const next = new Map<number, number>()
    for (let at = lower.indexOf(character); at !== -1; at = lower.indexOf(character, at + 1)) {
      const own = at === 0 ? 12 : isBoundary(cased, at) ? 8 : 1
      if (order === 0) {
        next.set(at, own - Math.min(at, 10) * 0.2)
        continue
      }
      let top: number | null = null
      for (const [before, score] of best) {
        if (before >= at) continue
        const joined = before === at - 1 ? score + 5 : score - Math.min(at - before - 1, 10) * 0.3
        if (top === null || joined > top) top = joined
      }
      if (top !== null) next.set(at, top + own)
    }
    if (next.size === 0) return null
    best = next
  }
  return Math.max(...best.values()) - Math.min(lower.length, 100) * 0.01
}

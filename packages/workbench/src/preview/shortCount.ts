/** As much of a number as there is room for. */
export function shortCount(count: number): string {
  return count < 10_000 ? String(count) : count.toLocaleString('en', { notation: 'compact' })
}

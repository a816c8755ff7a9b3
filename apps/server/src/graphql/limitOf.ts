const DEFAULT_LIMIT = 50
export const HIGHEST_LIMIT = 1000

/** How many rows a list gives at most. `fallback` is for lists that people expect whole. */
export function limitOf(limit: number | null | undefined, fallback = DEFAULT_LIMIT): number {
  return Math.min(Math.max(limit ?? fallback, 0), HIGHEST_LIMIT)
}

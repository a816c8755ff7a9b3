const DEFAULT_LIMIT = 50
const HIGHEST_LIMIT = 200

/** How many rows a list gives at most. */
export function limitOf(limit: number | null | undefined): number {
  return Math.min(Math.max(limit ?? DEFAULT_LIMIT, 0), HIGHEST_LIMIT)
}

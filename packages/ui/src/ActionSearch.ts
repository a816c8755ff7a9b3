import type { Clock } from './clock.ts'
import { fuzzyScore } from './fuzzyScore.ts'
import type { PaletteAction } from './paletteAction.ts'

export const maxResults = 100
/** Milliseconds. */
export const searchDebounce = 100
export const queryCancelled = 'Query cancelled'

/** The actions of the list `parent` that match, best first; with an empty query all of them, by section and priority. */
export function rankActions(
  actions: readonly PaletteAction[],
  query: string,
  parent: string | undefined,
): readonly PaletteAction[] {
  const byPriority = (a: PaletteAction, b: PaletteAction) => (b.priority ?? 0) - (a.priority ?? 0)
  const wanted = query.trim()
  if (wanted === '') {
    const listed = actions.filter((action) => action.parent === parent).toSorted(byPriority)
    const sections = [...new Set(listed.map((action) => action.section))]
    return sections.flatMap((section) => listed.filter((action) => action.section === section)).slice(0, maxResults)
  }
  const ids = new Map(actions.map((action) => [action.id, action]))
  // A search at the top also finds what is in the lists below it.
  const isBelow = (action: PaletteAction): boolean =>
    action.parent === parent ||
    (action.parent !== undefined && ids.has(action.parent) && isBelow(ids.get(action.parent)!))
  return actions
    .filter(isBelow)
    .map((action) => {
      const scores = [
        fuzzyScore(wanted, action.name),
        ...(action.keywords ?? []).map((keyword) => fuzzyScore(wanted, keyword)).map((score) => score && score * 0.8),
        action.subtitle ? fuzzyScore(wanted, action.subtitle) : null,
      ].filter((score) => score !== null)
      return { action, score: scores.length > 0 ? Math.max(...scores) : null }
    })
    .filter((entry): entry is { action: PaletteAction; score: number } => entry.score !== null)
    .toSorted((a, b) => b.score - a.score || byPriority(a.action, b.action))
    .slice(0, maxResults)
    .map(({ action }) => action)
}

/** Searches once the typing has rested. A search that a newer one overtakes fails with `Query cancelled`. */
export class ActionSearch {
  readonly #clock: Clock
  #cancel: (() => void) | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  search(actions: readonly PaletteAction[], query: string, parent?: string): Promise<readonly PaletteAction[]> {
    this.#cancel?.()
    return new Promise((resolve, reject) => {
      const stop = this.#clock.after(searchDebounce, () => {
        this.#cancel = undefined
        resolve(rankActions(actions, query, parent))
      })
      this.#cancel = () => {
        stop()
        reject(new Error(queryCancelled))
      }
    })
  }
}

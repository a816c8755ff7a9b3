import { barePath, isBarePath } from '../editor/barePage.ts'

/**
 * Shows another address for what is open; parameters are changed, or left out with null. The router is passed by: it would take it for another
 * page and begin the editor anew.
 */
export function showAddress(path: string, change: Readonly<Record<string, string | null>> = {}): void {
  const query = new URLSearchParams(window.location.search)
  for (const [name, value] of Object.entries(change)) {
    if (value === null) query.delete(name)
    else query.set(name, value)
  }
  const search = query.size === 0 ? '' : `?${query}`
  // What has nothing around it stays so.
  const isLeft = isBarePath(window.location.pathname) && !isBarePath(path)
  const address = `${isLeft ? barePath(path) : path}${search}${window.location.hash}`
  History.prototype.replaceState.call(window.history, window.history.state, '', address)
}

import { isFlagSet } from '@boxyard/api/is-flag-set'
import { isSideBarView } from '@boxyard/workbench/side-bar-views'
import type { SideBarView } from '@boxyard/workbench/side-bar-views'

/** The view that an address wants in the side bar, false for none at all. The value is JSON; a name needs no quotes. */
export function askedSideBar(search: string): SideBarView | false | undefined {
  const asked = new URLSearchParams(search).get('sidebar')
  if (asked === null) return undefined
  const value = parsed(asked)
  return value === false || isSideBarView(value) ? value : undefined
}

/** Whether an address wants the console of the preview open. */
export function asksForConsole(search: string): boolean {
  return isFlagSet(new URLSearchParams(search).get('showConsole'))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

import { BOX_VIEW_ID, DEBUG_VIEW_ID, REMOTE_VIEW_ID } from '../startup/pinnedViews.ts'

/** What an address can want in the side bar, and the view of the workbench that it means. */
export const sideBarViews = {
  explorer: 'workbench.view.explorer',
  search: 'workbench.view.search',
  box: BOX_VIEW_ID,
  scm: 'workbench.view.scm',
  debug: DEBUG_VIEW_ID,
  remote: REMOTE_VIEW_ID,
  extensions: 'workbench.view.extensions',
} as const

export type SideBarView = keyof typeof sideBarViews

export function isSideBarView(value: unknown): value is SideBarView {
  return typeof value === 'string' && Object.hasOwn(sideBarViews, value)
}

export const BOX_VIEW_ID = 'boxyard.box'
export const DEBUG_VIEW_ID = 'workbench.view.debug'
export const REMOTE_VIEW_ID = 'workbench.view.remote'
export const PULL_REQUESTS_VIEW_ID = 'boxyard.pullRequests'
export const CHAT_VIEW_ID = 'workbench.panel.chat'

/**
 * The side-bar views in their order; a view that is not registered, or that has nothing to show, takes no room. A visit that remembers views of its
 * own places a new one by the number that it is registered with, so those follow this order too.
 */
const ORDER = [
  'workbench.view.explorer',
  'workbench.view.search',
  BOX_VIEW_ID,
  'workbench.view.scm',
  DEBUG_VIEW_ID,
  REMOTE_VIEW_ID,
  'workbench.view.extensions',
  'workbench.view.extension.references-view',
  PULL_REQUESTS_VIEW_ID,
  // Of the extension of that name, which somebody may install.
  'workbench.view.extension.github-pull-requests',
  CHAT_VIEW_ID,
]

/** Behind whatever extensions bring. */
export const PULL_REQUESTS_ORDER = 100
export const CHAT_ORDER = 200

/** What the status bar shows only when it is asked to: the layout of the keyboard is no news to whoever types on it. */
const HIDDEN_STATUS = ['status.workbench.keyboardLayout']

/** What storage answers for the side bar's order and the status bar until the person has chosen differently. */
export function pinnedViews(): Record<string, string> {
  const views = ORDER.map((id, order) => ({ id, pinned: true, visible: true, order }))
  return {
    'workbench.activity.pinnedViewlets2': JSON.stringify(views),
    'workbench.statusbar.hidden': JSON.stringify(HIDDEN_STATUS),
  }
}

export const BOX_VIEW_ID = 'boxyard.box'

/** The side-bar views in their order; a view that is not registered takes no room. */
const ORDER = [
  'workbench.view.explorer',
  'workbench.view.search',
  BOX_VIEW_ID,
  'workbench.view.scm',
  'workbench.view.debug',
  'workbench.view.remote',
  'workbench.view.extensions',
  'workbench.view.extension.references-view',
  'workbench.view.extension.github-pull-requests',
  'workbench.panel.chat',
]

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

import { MenuId } from '@codingame/monaco-vscode-api/vscode/vs/platform/actions/common/actions'
import { CHAT_VIEW_ID } from '../startup/pinnedViews.ts'

/**
 * Where AI stands in the editor. Each place is empty, and not shown, until something is contributed to it: a view to the container, actions to the
 * menu. What is contributed names its key in `when`, so that it goes when the box can no longer be asked.
 */
export const aiPlaces = {
  /** The last container of the side bar. */
  chatContainer: CHAT_VIEW_ID,
  /** The toolbar over a selection. */
  selectionMenu: new MenuId('boxyard/ai/selection'),
} as const

/** What `when` looks at. */
export const aiContext = {
  chat: 'boxyard.ai.chat',
  suggestCommit: 'boxyard.ai.suggestCommit',
  selection: 'boxyard.ai.selection',
} as const

import { Emitter } from '@boxyard/dev-server-client'
import { getService, GroupsOrder, IEditorGroupsService } from '@codingame/monaco-vscode-api'
import { GroupsArrangement } from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/editor/common/editorGroupsService'
import type { Pane } from '../index.ts'
import { NARROW } from '../layout/narrow.ts'
import type { Panes } from '../layout/panes.ts'
import { showAllColumns } from '../layout/showAllColumns.ts'

/** Shows one column at a time where the window has no room for two, or where one alone is asked for. */
export async function lightPanes(): Promise<Panes> {
  const groups = await getService(IEditorGroupsService)
  const small = window.matchMedia(NARROW)
  const changes = new Emitter<Pane>()
  let shown: Pane = 'code'
  const bring = (pane: Pane, isAsked: boolean) => {
    // Terminals are in the workbench.
    const next = pane === 'preview' ? 'preview' : 'code'
    const isOther = shown !== next
    shown = next
    const all = groups.getGroups(GroupsOrder.GRID_APPEARANCE)
    const group = all[Math.min(next === 'code' ? 0 : 1, all.length - 1)]
    if (group) {
      groups.activateGroup(group)
      if (all.length > 1) groups.arrangeGroups(GroupsArrangement.MAXIMIZE, group)
      if (isAsked) group.focus()
    }
    if (isOther) changes.fire(next)
  }
  const keep = () => {
    if (small.matches) bring(shown, false)
  }
  small.addEventListener('change', () => {
    const [first] = groups.getGroups(GroupsOrder.GRID_APPEARANCE)
    if (small.matches) return bring(groups.activeGroup === first ? 'code' : 'preview', false)
    showAllColumns(groups, false)
  })
  await groups.whenReady
  if (small.matches) bring(shown, false)
  // The last visit may have ended in a small window.
  else showAllColumns(groups, true)
  return { onDidChangePane: changes.event, show: (pane) => bring(pane, true), keep }
}

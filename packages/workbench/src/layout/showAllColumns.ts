import type { IEditorGroupsService } from '@codingame/monaco-vscode-api'
import { GroupsArrangement } from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/editor/common/editorGroupsService'

/**
 * Ends that one column of editors has all the room. Where the window has just become large the widths are still those of the small one, until the columns
 * have its room.
 */
export function showAllColumns(groups: IEditorGroupsService, isLaidOut: boolean): void {
  if (!groups.mainPart.hasMaximizedGroup()) return
  groups.toggleMaximizeGroup()
  const even = () => groups.arrangeGroups(GroupsArrangement.EVEN)
  if (isLaidOut) return even()
  const laidOut = groups.mainPart.onDidLayout(() => {
    laidOut.dispose()
    even()
  })
}

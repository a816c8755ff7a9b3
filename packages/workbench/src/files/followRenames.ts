import type { FileTree } from '@boxyard/dev-server-client'
import { getService, IEditorGroupsService, IEditorService } from '@codingame/monaco-vscode-api'
import type { IEditorGroup } from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/editor/common/editorGroupsService'
import { boxUri, isBoxUri } from './boxUri.ts'
import { renamedPath } from './renamedPath.ts'
import type { FileSystem } from './fileSystem.ts'

export interface FollowRenamesOptions {
  tree: Pick<FileTree, 'onDidChange'>
  files: Pick<FileSystem, 'takeOwnRename'>
  workspacePath: string
  onError(error: unknown): void
}

/** Keeps what somebody else renames open under its new name. What this person renames the workbench itself follows. */
export async function followRenames({ tree, files, workspacePath, onError }: FollowRenamesOptions): Promise<void> {
  const editors = await getService(IEditorService)
  const groups = await getService(IEditorGroupsService)
  const follow = async (group: IEditorGroup, from: string, to: string) => {
    const replacements = group.editors.flatMap((editor) => {
      const { resource } = editor
      const path = resource && isBoxUri(resource) ? renamedPath(resource.path, from, to) : undefined
      if (path === undefined) return []
      const isActive = group.isActive(editor)
      const options = {
        index: group.getIndexOfEditor(editor),
        pinned: group.isPinned(editor),
        sticky: group.isSticky(editor),
        inactive: !isActive,
        preserveFocus: !isActive || groups.activeGroup !== group,
        viewState: isActive ? group.activeEditorPane?.getViewState() : undefined,
      }
      // The text is with the box, saved or not: under its new name it is the same.
      return [{ editor, replacement: { resource: boxUri(path), options }, forceReplaceDirty: true }]
    })
    if (replacements.length > 0) await editors.replaceEditors(replacements, group)
  }
  tree.onDidChange((changes) => {
    for (const change of changes) {
      if (change.type !== 'move') continue
      const [from, to] = [`${workspacePath}/${change.from}`, `${workspacePath}/${change.to}`]
      if (files.takeOwnRename(from, to)) continue
      for (const group of groups.groups) follow(group, from, to).catch(onError)
    }
  })
}

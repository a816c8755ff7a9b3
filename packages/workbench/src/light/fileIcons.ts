import { getService, ILanguageService, IModelService } from '@codingame/monaco-vscode-api'
import { getIconClasses } from '@codingame/monaco-vscode-api/vscode/vs/editor/common/services/getIconClasses'
import { FileKind } from '@codingame/monaco-vscode-api/vscode/vs/platform/files/common/files'
import { boxUri } from '../files/boxUri.ts'

/** The icons that the icon theme of the editor has for files. */
export interface FileIcons {
  /** The classes of an element that shows it; `path` is relative to the workspace. */
  classesOf(path: string): string
  /** Another number when more languages are known: files of theirs have other icons then. */
  getSnapshot(): number
  subscribe(listener: () => void): () => void
}

export async function fileIcons(workspacePath: string): Promise<FileIcons> {
  const models = await getService(IModelService)
  const languages = await getService(ILanguageService)
  let version = 0
  const listeners = new Set<() => void>()
  languages.onDidChange(() => {
    version += 1
    for (const listener of listeners) listener()
  })
  return {
    classesOf: (path) => getIconClasses(models, languages, boxUri(`${workspacePath}/${path}`), FileKind.FILE).join(' '),
    getSnapshot: () => version,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

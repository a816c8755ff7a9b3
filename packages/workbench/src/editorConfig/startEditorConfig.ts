import { isConnectionFailure, type FileSystemArea } from '@boxyard/dev-server-client'
import { getService, IConfigurationService, IModelService } from '@codingame/monaco-vscode-api'
import type { editor } from 'monaco-editor'
import type { FileSystem } from '../files/fileSystem.ts'
import { isBoxUri } from '../files/boxUri.ts'
import { textAt } from '../files/textAt.ts'
import { debounced } from './debounced.ts'
import { EditorConfigFiles } from './EditorConfigFiles.ts'
import { indentationOf, type Indentation } from './indentationOf.ts'

export interface EditorConfigOptions {
  fs: Pick<FileSystemArea, 'readFile'>
  files: Pick<FileSystem, 'onDidChangeOnDisk'>
  workspacePath: string
  onError(error: unknown): void
}

/** Indents every text of the workspace as the `.editorconfig` files above it say, now and whenever they change. */
export async function startEditorConfig({ fs, files, workspacePath, onError }: EditorConfigOptions): Promise<void> {
  const models = await getService(IModelService)
  const settings = await getService(IConfigurationService)
  const configs = new EditorConfigFiles({ workspacePath, read: (path) => textAt(fs, path) })

  const apply = (model: editor.ITextModel) => {
    const { uri } = model
    const { path } = uri
    if (!isBoxUri(uri) || !path.startsWith(`${workspacePath}/`)) return
    configs
      .sectionsFor(path)
      .then((sections) => {
        if (!model.isDisposed()) indent(model, indentationOf(sections))
      })
      .catch((error: unknown) => {
        isMissed = true
        // It is asked again when the connection is back.
        if (!isConnectionFailure(error)) onError(error)
      })
  }
  let isMissed = false
  /** What was applied, so that a choice of the person in the status bar stays while the files say the same. */
  const applied = new WeakMap<editor.ITextModel, Indentation>()
  const indent = (model: editor.ITextModel, wanted: Indentation | undefined) => {
    const before = applied.get(model)
    if (wanted?.size === before?.size && wanted?.insertSpaces === before?.insertSpaces) return
    if (wanted) applied.set(model, wanted)
    else applied.delete(model)
    if (wanted?.size !== undefined) {
      model.updateOptions({ insertSpaces: wanted.insertSpaces, tabSize: wanted.size, indentSize: wanted.size })
      return
    }
    const { insertSpaces, tabSize } = models.getCreationOptions(model.getLanguageId(), model.uri, false)
    model.detectIndentation(wanted?.insertSpaces ?? insertSpaces, tabSize)
  }
  const applyAnew = (model: editor.ITextModel) => {
    applied.delete(model)
    apply(model)
  }

  models.onModelAdded(apply)
  // The editor has put its own settings over it.
  models.onModelLanguageChanged(({ model }) => applyAnew(model))
  settings.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('editor')) for (const model of models.getModels()) applyAnew(model)
  })
  const readAgain = debounced(
    () => {
      configs
        .refresh()
        .then((isChanged) => {
          if (!isChanged && !isMissed) return
          isMissed = false
          for (const model of models.getModels()) apply(model)
        })
        .catch((error: unknown) => {
          if (!isConnectionFailure(error)) onError(error)
        })
    },
    { quiet: 100, maximum: 1000 },
  )
  files.onDidChangeOnDisk((events) => {
    if (events.some(({ type, paths }) => type === 'resync' || paths.some((path) => configs.concerns(path)))) readAgain()
  })
  for (const model of models.getModels()) apply(model)
}

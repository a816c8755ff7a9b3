import type { FileSystemArea } from '@boxyard/dev-server-client'
import { getService, IEditorService, IStatusbarService } from '@codingame/monaco-vscode-api'
import { ILanguageFeaturesService } from '@codingame/monaco-vscode-api/vscode/vs/editor/common/services/languageFeatures.service'
import { ExtensionIdentifier } from '@codingame/monaco-vscode-api/vscode/vs/platform/extensions/common/extensions'
import {
  type IStatusbarEntryAccessor,
  StatusbarAlignment,
} from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/statusbar/browser/statusbar'
import { CommandsRegistry } from '@codingame/monaco-vscode-api/vscode/vs/platform/commands/common/commands'
import { configurationRegistry } from '@codingame/monaco-vscode-configuration-service-override'
import type { Uri } from 'monaco-editor'
import { boxScheme } from '../files/boxUri.ts'
import type { FormatNotice } from './formatText.ts'
import { formattedFiles, formattedLanguages } from './parserOf.ts'

/**
 * The extension whose part it has. Projects name it as their formatter in their settings; where somebody installs it, it comes first, having
 * registered later.
 */
const ID = 'esbenp.prettier-vscode'
const SHOW_PLACE = 'boxyard.showFormatProblem'

export interface FormatOptions {
  fs: Pick<FileSystemArea, 'readFile' | 'readdir'>
  workspacePath: string
}

/** Has Prettier format what it knows. Its code is fetched with the first text. */
export async function startFormat(options: FormatOptions): Promise<void> {
  const features = await getService(ILanguageFeaturesService)
  const tell = await formatProblems()
  const languages = formattedLanguages.map((language) => ({ language, scheme: boxScheme() }))
  features.documentFormattingEditProvider.register([...languages, { pattern: formattedFiles, scheme: boxScheme() }], {
    extensionId: new ExtensionIdentifier(ID),
    displayName: 'Prettier',
    async provideDocumentFormattingEdits(model, formatting, token) {
      const { formatText } = await import('./formatText.ts')
      const { edits, notice } = await formatText(model, formatting, token, options)
      tell(model.uri, notice)
      return edits
    },
  })
  const overrides = formattedLanguages.map((language) => [`[${language}]`, { 'editor.defaultFormatter': ID }])
  configurationRegistry.registerDefaultConfigurations([{ overrides: Object.fromEntries(overrides) }])
}

/** Shows in the status bar why a text was not formatted, as long as it is looked at; a click leads to the place. */
async function formatProblems(): Promise<(uri: Uri, notice: FormatNotice | undefined) => void> {
  const statusBar = await getService(IStatusbarService)
  const editors = await getService(IEditorService)
  let shown: IStatusbarEntryAccessor | undefined
  let place: { resource: Uri; notice: FormatNotice } | undefined
  CommandsRegistry.registerCommand(SHOW_PLACE, () => {
    if (!place) return
    const { line = 1, column = 1 } = place.notice
    const selection = { startLineNumber: line, startColumn: column }
    return editors.openEditor({ resource: place.resource, options: { selection } })
  })
  const clear = () => {
    shown?.dispose()
    shown = undefined
  }
  editors.onDidActiveEditorChange(clear)
  return (resource, notice) => {
    clear()
    if (!notice) return
    place = { resource, notice }
    const { title, message, line } = notice
    shown = statusBar.addEntry(
      {
        name: 'Format',
        text: `$(warning) ${title}`,
        tooltip: `${message}. What you typed is kept.`,
        ariaLabel: `${title}. ${message}`,
        ...(line !== undefined && { command: SHOW_PLACE }),
      },
      'boxyard.format',
      StatusbarAlignment.RIGHT,
      100,
    )
  }
}

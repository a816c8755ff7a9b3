import '@codingame/monaco-vscode-javascript-default-extension'
import '@codingame/monaco-vscode-theme-defaults-default-extension'
import '@codingame/monaco-vscode-typescript-basics-default-extension'
import { initialize } from '@codingame/monaco-vscode-api'
import type { IWorkbenchConstructionOptions } from '@codingame/monaco-vscode-api/vscode/vs/workbench/browser/web.api'
import {
  createIndexedDBProviders,
  registerCustomProvider,
  type IFileSystemProviderWithFileReadWriteCapability,
} from '@codingame/monaco-vscode-files-service-override'
import type { ITerminalBackend } from '@codingame/monaco-vscode-terminal-service-override'
import { Uri } from 'monaco-editor'
import { registerThemes } from '../theme/registerThemes.ts'
import { workbenchServices } from './services.ts'
import { settingsDefaults, type ColorScheme } from './settings.ts'
import { provideWorkers } from './workers.ts'

export interface StartOptions {
  element: HTMLElement
  workspacePath: string
  title: string
  colorScheme: ColorScheme
  files: IFileSystemProviderWithFileReadWriteCapability
  terminals: ITerminalBackend
  defaultLayout: IWorkbenchConstructionOptions['defaultLayout']
  windowIndicator: IWorkbenchConstructionOptions['windowIndicator']
}

/**
 * Starts VS Code's services and its workbench in `element`. The order is part of the contract: the storage of the browser
 * replaces the one in memory first, or the settings written before it are lost.
 */
export async function start(options: StartOptions): Promise<void> {
  provideWorkers()
  registerThemes()
  await createIndexedDBProviders()
  registerCustomProvider('file', options.files)
  const folderUri = Uri.file(options.workspacePath)
  await initialize(workbenchServices(options.terminals), options.element, {
    workspaceProvider: {
      trusted: true,
      workspace: { folderUri, label: options.title },
      open: async () => false,
    },
    enableWorkspaceTrust: false,
    configurationDefaults: settingsDefaults(options.colorScheme),
    defaultLayout: options.defaultLayout,
    windowIndicator: options.windowIndicator,
    productConfiguration: {
      nameShort: 'Boxyard',
      nameLong: 'Boxyard',
      applicationName: 'boxyard',
      dataFolderName: '.boxyard-editor',
      enableTelemetry: false,
    },
  }, { userHome: folderUri })
}

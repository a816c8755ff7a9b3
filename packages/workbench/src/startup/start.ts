import '@codingame/monaco-vscode-javascript-default-extension'
import '@codingame/monaco-vscode-markdown-basics-default-extension'
import '@codingame/monaco-vscode-theme-defaults-default-extension'
import '@codingame/monaco-vscode-typescript-basics-default-extension'
import { initialize, type IEditorOverrideServices } from '@codingame/monaco-vscode-api'
import type { IWorkbenchConstructionOptions } from '@codingame/monaco-vscode-api/vscode/vs/workbench/browser/web.api'
import {
  registerCustomProvider,
  type IFileSystemProviderWithFileReadWriteCapability,
} from '@codingame/monaco-vscode-files-service-override'
import type { Uri } from 'monaco-editor'
import { BOX_AUTHORITY, boxScheme, boxUri } from '../files/boxUri.ts'
import { refuseLongTexts } from '../files/refuseLongTexts.ts'
import type { WorkbenchProject } from '../index.ts'
import type { ExtensionPlace } from '../extensions/extensionPlace.ts'
import { galleryProduct } from '../extensions/galleryProduct.ts'
import '../layout/narrowQuickInput.css'
import '../theme/interfaceFont.css'
import { registerThemes } from '../theme/registerThemes.ts'
import { databasesInMemory, openBrowserStorage, tellNothingIsKept, type Databases } from './openBrowserStorage.ts'
import { useOwnWords } from './ownWords.ts'
import { settingsDefaults, type ColorScheme } from './settings.ts'
import { provideWorkers } from './workers.ts'

export interface StartOptions {
  element: HTMLElement
  /** Of the workbench, or of the light editor, with where they keep things. */
  services(databases: Databases): IEditorOverrideServices
  projectId: string
  kind: WorkbenchProject['kind']
  workspacePath: string
  colorScheme: ColorScheme
  /** Without it extensions come from nowhere, and run on the origin of the page. */
  extensions: ExtensionPlace | undefined
  files: IFileSystemProviderWithFileReadWriteCapability
  defaultLayout: NonNullable<IWorkbenchConstructionOptions['defaultLayout']>
  /** The VS Code server of the box, where it is connected. */
  server: { token: string; commit: string; sockets: IWorkbenchConstructionOptions['webSocketFactory'] } | undefined
  windowIndicator: NonNullable<IWorkbenchConstructionOptions['windowIndicator']>
}

/**
 * Starts VS Code's services in `element`. The order is part of the contract: the storage of the browser
 * replaces the one in memory first, or what a person had set is lost.
 */
export async function start(options: StartOptions): Promise<void> {
  provideWorkers()
  useOwnWords()
  refuseLongTexts()
  registerThemes()
  const isKept = await openBrowserStorage()
  const { server } = options
  registerCustomProvider(boxScheme(), options.files)
  const folderUri = boxUri(options.workspacePath)
  // Every box has its workspace at one path; the id keeps what the browser remembers of each apart. Files have other addresses while the VS Code
  // server is connected, and in a sandbox that became a devbox.
  const addresses = options.kind === 'sandbox' ? '-sandbox' : server ? '-server' : ''
  const workspace = { id: `boxyard-${options.projectId}${addresses}`, folderUri }
  await initialize(
    options.services(isKept ? {} : databasesInMemory),
    options.element,
    {
      workspaceProvider: { trusted: true, workspace, open: async () => false },
      enableWorkspaceTrust: false,
      ...(server && {
        remoteAuthority: BOX_AUTHORITY,
        connectionToken: server.token,
        webSocketFactory: server.sockets,
        // What an extension shows of its folder is read like every other file of the box.
        resourceUriProvider: (uri: Uri) => uri,
      }),
      configurationDefaults: settingsDefaults(options.colorScheme),
      defaultLayout: options.defaultLayout,
      windowIndicator: options.windowIndicator,
      productConfiguration: {
        nameShort: 'Boxyard',
        nameLong: 'Boxyard',
        applicationName: 'boxyard',
        dataFolderName: '.boxyard-editor',
        enableTelemetry: false,
        // The server takes clients that say they are of its own version alone.
        ...(server && { commit: server.commit }),
        ...(options.extensions && { extensionsGallery: galleryProduct(options.extensions) }),
      },
    },
    { userHome: folderUri },
  )
  if (!isKept) await tellNothingIsKept()
}

import '../extensions/webviews.css'
import type { IEditorOverrideServices } from '@codingame/monaco-vscode-api/vscode/vs/editor/standalone/browser/standaloneServices'
import {
  IExtensionGalleryService,
  ILabelService,
  ILifecycleService,
  ISearchService,
  IUndoRedoService,
  SyncDescriptor,
} from '@codingame/monaco-vscode-api'
import type { UndoRedoService } from '@codingame/monaco-vscode-api/vscode/vs/platform/undoRedo/common/undoRedoService'
import getAccessibility from '@codingame/monaco-vscode-accessibility-service-override'
import getAuthentication from '@codingame/monaco-vscode-authentication-service-override'
import getBulkEdit from '@codingame/monaco-vscode-bulk-edit-service-override'
import getComments from '@codingame/monaco-vscode-comments-service-override'
import getConfiguration from '@codingame/monaco-vscode-configuration-service-override'
import getDialogs from '@codingame/monaco-vscode-dialogs-service-override'
import getEmmet from '@codingame/monaco-vscode-emmet-service-override'
import getEnvironment from '@codingame/monaco-vscode-environment-service-override'
import getExplorer from '@codingame/monaco-vscode-explorer-service-override'
import getExtensionGallery from '@codingame/monaco-vscode-extension-gallery-service-override'
import getExtensions from '@codingame/monaco-vscode-extensions-service-override'
import getKeybindings from '@codingame/monaco-vscode-keybindings-service-override'
import getLanguageDetection from '@codingame/monaco-vscode-language-detection-worker-service-override'
import getLanguages from '@codingame/monaco-vscode-languages-service-override'
import getLifecycle from '@codingame/monaco-vscode-lifecycle-service-override'
import getLog from '@codingame/monaco-vscode-log-service-override'
import getMarkers from '@codingame/monaco-vscode-markers-service-override'
import getModel from '@codingame/monaco-vscode-model-service-override'
import getMultiDiffEditor from '@codingame/monaco-vscode-multi-diff-editor-service-override'
import getNotifications from '@codingame/monaco-vscode-notifications-service-override'
import getOutline from '@codingame/monaco-vscode-outline-service-override'
import getOutput from '@codingame/monaco-vscode-output-service-override'
import getPreferences from '@codingame/monaco-vscode-preferences-service-override'
import getQuickAccess from '@codingame/monaco-vscode-quickaccess-service-override'
import getRemoteAgent from '@codingame/monaco-vscode-remote-agent-service-override'
import getScm from '@codingame/monaco-vscode-scm-service-override'
import getSearch from '@codingame/monaco-vscode-search-service-override'
import getSecretStorage from '@codingame/monaco-vscode-secret-storage-service-override'
import getSnippets from '@codingame/monaco-vscode-snippets-service-override'
import getStorage from '@codingame/monaco-vscode-storage-service-override'
import getTerminal from '@codingame/monaco-vscode-terminal-service-override'
import type { ITerminalBackend } from '@codingame/monaco-vscode-terminal-service-override'
import getTextmate from '@codingame/monaco-vscode-textmate-service-override'
import getTheme from '@codingame/monaco-vscode-theme-service-override'
import getTimeline from '@codingame/monaco-vscode-timeline-service-override'
import getUserDataProfile from '@codingame/monaco-vscode-user-data-profile-service-override'
import getViewBanner from '@codingame/monaco-vscode-view-banner-service-override'
import getViewStatusBar from '@codingame/monaco-vscode-view-status-bar-service-override'
import getViewTitleBar from '@codingame/monaco-vscode-view-title-bar-service-override'
import getWorkbench from '@codingame/monaco-vscode-workbench-service-override'
import getWorkspaceTrust from '@codingame/monaco-vscode-workspace-trust-service-override'
import { applyTokensInOrder } from './applyTokensInOrder.ts'
import { lifecycleService } from './lifecycleService.ts'
import type { ExtensionPlace } from '../extensions/extensionPlace.ts'
import { GalleryService } from '../extensions/galleryService.ts'
import { galleryManifest } from '../extensions/galleryProduct.ts'
import { boxSearchService } from '../search/boxSearchService.ts'
import { knownTheme } from './knownTheme.ts'
import type { Databases } from './openBrowserStorage.ts'
import { titledLabelService } from './titledLabelService.ts'
import { pinnedViews } from './pinnedViews.ts'
import type { ColorScheme } from './settings.ts'
import { workingCopyServices } from './workingCopyServices.ts'

export interface OwnServices {
  terminals: ITerminalBackend
  undo: typeof UndoRedoService
  title: string
  workspacePath: string
  colorScheme: ColorScheme
  /** Without it extensions come from nowhere, and run on the origin of the page. */
  extensions: ExtensionPlace | undefined
  /** Where the VS Code server of the box is connected: programs can be debugged, and its extensions are had. */
  debugging: (() => IEditorOverrideServices) | undefined
  databases: Databases
}

/** Every service of the full workbench. The order matters: later entries replace what the earlier ones provide. */
export function workbenchServices({
  terminals,
  undo,
  title,
  workspacePath,
  colorScheme,
  extensions,
  debugging,
  databases,
}: OwnServices): IEditorOverrideServices {
  // Code of extensions never runs on the origin that has the session of the person.
  const frames = extensions && { iframeAlternateDomain: extensions.frames }
  applyTokensInOrder()
  return {
    ...getLog(),
    ...getExtensions({ enableWorkerExtensionHost: true, ...frames }),
    ...getExtensionGallery({ webOnly: debugging === undefined, transformExtensionGalleryManifest: galleryManifest }),
    ...getModel(),
    ...getNotifications(),
    ...getDialogs(),
    ...getConfiguration(),
    ...getKeybindings(),
    ...getTextmate(),
    ...getTheme(),
    ...getLanguages(),
    ...getAuthentication(),
    ...getPreferences(),
    ...getOutline(),
    ...getTimeline(),
    ...getBulkEdit(),
    ...getUserDataProfile(),
    ...getSnippets(),
    ...getOutput(),
    ...getTerminal(terminals),
    ...searchServices(),
    ...getMarkers(),
    ...getAccessibility(),
    ...getLanguageDetection(),
    ...getStorage({ fallbackOverride: { ...pinnedViews(), ...knownTheme(colorScheme) }, ...databases }),
    ...getRemoteAgent({ scanRemoteExtensions: debugging !== undefined }),
    ...debugging?.(),
    ...getLifecycle(),
    ...getEnvironment(),
    ...getWorkspaceTrust(),
    ...workingCopyServices(workspacePath),
    ...getScm(),
    ...getComments(),
    ...getMultiDiffEditor(),
    ...getExplorer(),
    ...getEmmet(),
    ...getSecretStorage(),
    ...getViewBanner(),
    ...getViewStatusBar(),
    ...getViewTitleBar(),
    ...getWorkbench(undefined, extensions?.frames),
    ...getQuickAccess({ isKeybindingConfigurationVisible: () => true, shouldUseGlobalPicker: () => true }),
    [IExtensionGalleryService.toString()]: new SyncDescriptor(GalleryService, [], true),
    [IUndoRedoService.toString()]: new SyncDescriptor(undo, [], true),
    [ILifecycleService.toString()]: new SyncDescriptor(lifecycleService()),
    [ILabelService.toString()]: new SyncDescriptor(titledLabelService(title), [], true),
  }
}

function searchServices(): IEditorOverrideServices {
  const services = getSearch()
  const name = ISearchService.toString()
  const { ctor } = services[name] as SyncDescriptor<ISearchService>
  return { ...services, [name]: new SyncDescriptor(boxSearchService(ctor), [], true) }
}

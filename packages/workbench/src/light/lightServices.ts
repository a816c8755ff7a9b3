import {
  ILabelService,
  ILifecycleService,
  ISearchService,
  IUndoRedoService,
  SyncDescriptor,
  type IEditorOverrideServices,
} from '@codingame/monaco-vscode-api'
import type { UndoRedoService } from '@codingame/monaco-vscode-api/vscode/vs/platform/undoRedo/common/undoRedoService'
import getConfiguration from '@codingame/monaco-vscode-configuration-service-override'
import getDialogs from '@codingame/monaco-vscode-dialogs-service-override'
import getExtensions from '@codingame/monaco-vscode-extensions-service-override'
import getLanguages from '@codingame/monaco-vscode-languages-service-override'
import getLifecycle from '@codingame/monaco-vscode-lifecycle-service-override'
import getLog from '@codingame/monaco-vscode-log-service-override'
import getModel from '@codingame/monaco-vscode-model-service-override'
import getNotifications from '@codingame/monaco-vscode-notifications-service-override'
import getQuickAccess from '@codingame/monaco-vscode-quickaccess-service-override'
import getStorage from '@codingame/monaco-vscode-storage-service-override'
import getTextmate from '@codingame/monaco-vscode-textmate-service-override'
import getTheme from '@codingame/monaco-vscode-theme-service-override'
import getUserDataProfile from '@codingame/monaco-vscode-user-data-profile-service-override'
import getViewStatusBar from '@codingame/monaco-vscode-view-status-bar-service-override'
import getViews from '@codingame/monaco-vscode-views-service-override'
import type { SearchProvider } from '../search/searchProvider.ts'
import { applyTokensInOrder } from '../startup/applyTokensInOrder.ts'
import { lifecycleService } from '../startup/lifecycleService.ts'
import { knownTheme } from '../startup/knownTheme.ts'
import type { Databases } from '../startup/openBrowserStorage.ts'
import { pinnedViews } from '../startup/pinnedViews.ts'
import type { ColorScheme } from '../startup/settings.ts'
import { titledLabelService } from '../startup/titledLabelService.ts'
import { workingCopyServices } from '../startup/workingCopyServices.ts'
import { LightSearchService } from './lightSearchService.ts'

export interface LightServicesOptions {
  undo: typeof UndoRedoService
  title: string
  workspacePath: string
  colorScheme: ColorScheme
  search: SearchProvider
  databases: Databases
}

/** The services of the light editor: those of VS Code's editors and of its status bar. Each that is added is fetched by every light page. */
export function lightServices({
  undo,
  title,
  workspacePath,
  colorScheme,
  search,
  databases,
}: LightServicesOptions): IEditorOverrideServices {
  applyTokensInOrder()
  return {
    ...getLog(),
    // It takes in what languages and themes say of themselves. No extension runs.
    ...getExtensions({ enableWorkerExtensionHost: false }),
    ...getModel(),
    ...getNotifications(),
    ...getDialogs(),
    ...getConfiguration(),
    ...getTextmate(),
    ...getTheme(),
    ...getLanguages(),
    ...getUserDataProfile(),
    ...getStorage({ fallbackOverride: { ...pinnedViews(), ...knownTheme(colorScheme) }, ...databases }),
    ...getLifecycle(),
    ...workingCopyServices(workspacePath),
    ...getViewStatusBar(),
    ...getViews(),
    // One at the top of the page, not one in each editor.
    ...getQuickAccess({ shouldUseGlobalPicker: () => true }),
    [ISearchService.toString()]: new SyncDescriptor(LightSearchService, [search], true),
    [IUndoRedoService.toString()]: new SyncDescriptor(undo, [], true),
    [ILifecycleService.toString()]: new SyncDescriptor(lifecycleService()),
    [ILabelService.toString()]: new SyncDescriptor(titledLabelService(title), [], true),
  }
}

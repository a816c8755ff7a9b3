import {
  Extensions,
  type IQuickAccessRegistry,
} from '@codingame/monaco-vscode-api/vscode/vs/platform/quickinput/common/quickAccess'
import { Registry } from '@codingame/monaco-vscode-api/vscode/vs/platform/registry/common/platform'
import { defaultQuickAccessContextKeyValue } from '@codingame/monaco-vscode-api/vscode/vs/workbench/browser/quickaccess'
import { AnythingQuickAccessProvider } from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/search/browser/anythingQuickAccess'

/** Has the command that goes to a file (Ctrl+P) find one by its name, as the workbench does. */
export function registerGoToFile(): void {
  Registry.as<IQuickAccessRegistry>(Extensions.Quickaccess).registerQuickAccessProvider({
    ctor: AnythingQuickAccessProvider,
    prefix: AnythingQuickAccessProvider.PREFIX,
    placeholder: 'Search files by name (append : to go to line or @ to go to symbol)',
    contextKey: defaultQuickAccessContextKeyValue,
    helpEntries: [{ description: 'Go to File', commandId: 'workbench.action.quickOpen' }],
  })
}

import { getService, ICommandService, IKeybindingService } from '@codingame/monaco-vscode-api'
import { Codicon } from '@codingame/monaco-vscode-api/vscode/vs/base/common/codicons'
import {
  Action2,
  MenuId,
  registerAction2,
} from '@codingame/monaco-vscode-api/vscode/vs/platform/actions/common/actions'
import { report } from '../status/report.ts'
import type { NewTabProps, OfferedCommand } from './NewTab.tsx'
import { registerNewTabPane } from './newTabPane.tsx'
import { openNewTab } from './openNewTab.ts'

/** What the new tab offers in the workbench beside tasks and pages. */
export const terminalCommand: OfferedCommand = {
  id: 'workbench.action.terminal.new',
  name: 'New terminal',
  icon: 'terminal',
}
export const workbenchCommands: readonly OfferedCommand[] = [
  { id: 'workbench.action.quickOpen', name: 'Open a file', icon: 'go-to-file' },
  { id: 'workbench.action.findInFiles', name: 'Search in files', icon: 'search' },
  { id: 'workbench.action.showCommands', name: 'Show all commands', icon: 'list-unordered' },
]

/** The pane of the second column, and the command that shows it; call before `initialize`. */
export function registerNewTab(
  given: Pick<NewTabProps, 'store' | 'canWrite' | 'commands' | 'openPreview' | 'runTask' | 'showShell'>,
): void {
  let keys: { lookupKeybinding(id: string): { getLabel(): string | null } | undefined } | undefined
  registerNewTabPane({
    ...given,
    keysOf: (id) => keys?.lookupKeybinding(id)?.getLabel() ?? undefined,
    runCommand: (id) => {
      getService(ICommandService)
        .then((service) => service.executeCommand(id))
        .catch((error: unknown) => report('The command failed', error))
    },
    whenReady: async () => {
      keys = await getService(IKeybindingService)
    },
  })
  registerAction2(
    class extends Action2 {
      constructor() {
        super({
          id: 'boxyard.newTab',
          title: { value: 'New Tab', original: 'New Tab' },
          category: { value: 'View', original: 'View' },
          f1: true,
          icon: Codicon.add,
          menu: { id: MenuId.EmptyEditorGroup, group: 'navigation' },
        })
      }
      run(): void {
        openNewTab({ isAsked: true }).catch((error: unknown) => report('The new tab did not open', error))
      }
    },
  )
}

import type { Connection } from '@boxyard/dev-server-client'
import { getService, IStatusbarService } from '@codingame/monaco-vscode-api'
import { CommandsRegistry } from '@codingame/monaco-vscode-api/vscode/vs/platform/commands/common/commands'
import {
  type IStatusbarEntryAccessor,
  StatusbarAlignment,
} from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/statusbar/browser/statusbar'
import type { TextSync } from '../text/textSync.ts'
import { report } from './report.ts'
import { statusText } from './statusText.ts'

export const RECONNECT = 'boxyard.reconnect'

/**
 * Keeps the state of the connection and of saving in the status bar, always at the same place. Where the page around the workbench says
 * how saving is (`isSavingShown`), the status bar does not say it again.
 */
export async function showStatus(connection: Connection, sync: TextSync, isSavingShown: boolean): Promise<void> {
  CommandsRegistry.registerCommand(RECONNECT, () => {
    connection.reconnect().catch((error: unknown) => report('The box was not reached', error))
  })
  const entry = () => {
    const { text, tooltip, kind } = statusText(connection.state, sync.saveState)
    const clickable = connection.state.kind === 'DISCONNECTED' || connection.state.kind === 'HIBERNATED'
    const words = text.replace(/\$\([^)]*\) ?/, '')
    return {
      name: 'Box',
      text,
      tooltip,
      kind,
      ariaLabel: `${words}. ${tooltip}`,
      ...(clickable && { command: RECONNECT }),
    }
  }
  const statusBar = await getService(IStatusbarService)
  let shown: IStatusbarEntryAccessor | undefined
  const update = () => {
    if (isSavingShown && connection.state.kind === 'CONNECTED') {
      shown?.dispose()
      shown = undefined
    } else if (shown) shown.update(entry())
    else shown = statusBar.addEntry(entry(), 'boxyard.status', StatusbarAlignment.LEFT, 1000)
  }
  update()
  connection.onDidChangeState(update)
  sync.onDidChangeSaveState(update)
}

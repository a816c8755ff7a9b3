import type { Connection } from '@boxyard/dev-server-client'
import { getService, IExplorerService } from '@codingame/monaco-vscode-api'

/**
 * Has the explorer read its folders with each connection: without one changes are missed, and the first may come after the explorer has asked. The
 * workbench's own command would also open the explorer, in place of the view that the person is in.
 */
export function readFoldersAgain(connection: Pick<Connection, 'onDidJoin'>, onError: (error: unknown) => void): void {
  connection.onDidJoin(() => {
    getService(IExplorerService)
      .then((explorer) => explorer.refresh())
      .catch(onError)
  })
}

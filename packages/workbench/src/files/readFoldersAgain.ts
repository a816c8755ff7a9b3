import { getService, IExplorerService } from '@codingame/monaco-vscode-api'

/**
 * Has the explorer read its folders whenever one of `occasions` says that changes may have been missed: with each connection, since without one they are, and the first may come
 * after the explorer has asked; and when the folder begins to be watched, which the workbench has done when it is restored, some time after the explorer has read it. The
 * workbench's own command would also open the explorer, in place of the view that the person is in.
 */
export function readFoldersAgain(
  occasions: readonly ((listener: () => void) => unknown)[],
  onError: (error: unknown) => void,
): void {
  const read = () => {
    getService(IExplorerService)
      .then((explorer) => explorer.refresh())
      .catch(onError)
  }
  for (const occasion of occasions) occasion(read)
}

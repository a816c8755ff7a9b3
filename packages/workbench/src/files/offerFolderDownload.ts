import type { Connection } from '@boxyard/dev-server-client'
import {
  Action2,
  MenuId,
  registerAction2,
} from '@codingame/monaco-vscode-api/vscode/vs/platform/actions/common/actions'
import type { ServicesAccessor } from '@codingame/monaco-vscode-api/vscode/vs/platform/instantiation/common/instantiation'
import { ExplorerFolderContext } from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/files/common/files'
import type { Uri } from 'monaco-editor'
import { isBoxUri } from './boxUri.ts'
import { zipAddress } from './zipAddress.ts'

export interface FolderDownloadOptions {
  connection: Pick<Connection, 'request'>
  workspacePath: string
  previewUrl(port: number): Promise<string>
  onError(error: unknown): void
}

/** Adds to the menu of folders in the explorer that they can be had as an archive, in every browser, without what was installed into them. */
export function offerFolderDownload({ connection, workspacePath, previewUrl, onError }: FolderDownloadOptions): void {
  const download = async (path: string) => {
    const { downloadUrl } = await connection.request('fs/download', { path })
    const link = document.createElement('a')
    link.href = await zipAddress(downloadUrl, previewUrl)
    // What goes wrong there is shown in a tab of its own, and the editor stays.
    link.target = '_blank'
    link.rel = 'noopener'
    link.click()
  }
  registerAction2(
    class extends Action2 {
      constructor() {
        super({
          id: 'boxyard.downloadFolder',
          title: { value: 'Download as Zip', original: 'Download as Zip' },
          menu: { id: MenuId.ExplorerContext, group: '5b_importexport', order: 15, when: ExplorerFolderContext },
        })
      }
      run(_accessor: ServicesAccessor, folder?: Uri): void {
        // The space below the files stands for the workspace.
        const path = folder && isBoxUri(folder) ? folder.path : workspacePath
        download(path).catch(onError)
      }
    },
  )
}

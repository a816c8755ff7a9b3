import type { FileSystemArea } from '@boxyard/dev-server-client'
import { NODE_DIRECTORY, ROOT_ID } from '@boxyard/protocol'
import { getService, ICommandService, IDialogService, IQuickInputService } from '@codingame/monaco-vscode-api'
import { report } from '../status/report.ts'
import { nameProblem, type TreeRow } from './treeRows.ts'

/** What a person can do from the list of files. Failures are reported. */
export interface TreeActions {
  open(path: string): void
  /** Asks for the name of a file, and opens it. */
  find(): void
  /** In the folder of `row`, or in the row itself where it is one; at the top without a row. */
  make(kind: 'file' | 'folder', row: TreeRow | undefined): void
  rename(row: TreeRow): void
  remove(row: TreeRow): void
}

export interface TreeActionsOptions {
  fs: Pick<FileSystemArea, 'tree' | 'writeFile' | 'mkdir' | 'rename' | 'remove'>
  openFile(path: string): Promise<void>
}

export function treeActions({ fs, openFile }: TreeActionsOptions): TreeActions {
  const { tree } = fs
  const tried = (what: string, work: () => Promise<void>) => {
    work().catch((error: unknown) => report(what, error))
  }
  const ask = async (title: string, value: string, folderId: string): Promise<string | undefined> => {
    const input = await getService(IQuickInputService)
    const taken = () =>
      tree
        .children(folderId)
        .map(({ name }) => name ?? '')
        .filter((name) => name !== value)
    const answer = await input.input({
      title,
      value,
      placeHolder: 'Name',
      valueSelection: [0, value.lastIndexOf('.') > 0 ? value.lastIndexOf('.') : value.length],
      validateInput: async (name) => nameProblem(name, taken()),
    })
    return answer === undefined || answer === value ? undefined : answer
  }
  const folderOf = (row: TreeRow | undefined): string => {
    if (!row) return ROOT_ID
    return row.isFolder ? row.id : (tree.get(row.id)?.parentId ?? ROOT_ID)
  }
  const pathIn = (folderId: string, name: string): string => {
    const folder = tree.pathOf(folderId)
    return folder ? `${folder}/${name}` : name
  }
  return {
    open: (path) => tried(`${path} did not open`, () => openFile(path)),
    find: () =>
      tried('Files are not found by name', async () => {
        await (await getService(ICommandService)).executeCommand('workbench.action.quickOpen')
      }),
    make: (kind, row) =>
      tried(`The ${kind} was not made`, async () => {
        const folderId = folderOf(row)
        const name = await ask(kind === 'file' ? 'New file' : 'New folder', '', folderId)
        if (name === undefined) return
        const path = pathIn(folderId, name)
        if (kind === 'folder') return fs.mkdir(path)
        await fs.writeFile(path, new Uint8Array(), { create: true, overwrite: false })
        await openFile(path)
      }),
    rename: (row) =>
      tried(`${row.path} was not renamed`, async () => {
        const folderId = tree.get(row.id)?.parentId ?? ROOT_ID
        const name = await ask(`Rename ${row.name}`, row.name, folderId)
        if (name !== undefined) await fs.rename(row.path, pathIn(folderId, name), { overwrite: false })
      }),
    remove: (row) =>
      tried(`${row.path} was not deleted`, async () => {
        const dialogs = await getService(IDialogService)
        const isFolder = tree.get(row.id)?.type === NODE_DIRECTORY
        const { confirmed } = await dialogs.confirm({
          message: `Delete ${row.name}${isFolder ? ' and everything in it' : ''}?`,
          detail: 'It is gone for everyone, and can not be brought back from here.',
          primaryButton: 'Delete',
        })
        if (confirmed) await fs.remove(row.path, { recursive: true })
      }),
  }
}

import { Uri } from 'monaco-editor'

/** What stands for the box in addresses while its VS Code server is connected: its extensions know the files of the box by that alone. */
export const BOX_AUTHORITY = 'box'

let isRemote = false

/** To be called before anything of the workbench is there, and where the VS Code server of the box is connected alone. */
export function nameFilesForServer(): void {
  isRemote = true
}

/** The scheme of the files of the box. They are the same files, served by the same file system, whichever it is. */
export const boxScheme = (): string => (isRemote ? 'vscode-remote' : 'file')

export const isBoxUri = ({ scheme }: { readonly scheme: string }): boolean => scheme === boxScheme()

/** The address of a file of the box, by its absolute path. */
export const boxUri = (path: string): Uri =>
  isRemote ? Uri.from({ scheme: boxScheme(), authority: BOX_AUTHORITY, path }) : Uri.file(path)

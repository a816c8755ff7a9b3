import type { FileSystemArea } from '@boxyard/dev-server-client'
import { fileErrorKind } from './fileErrorKind.ts'

/** The text of a file of the box as it is on disk; undefined when there is no such file. */
export async function textAt(fs: Pick<FileSystemArea, 'readFile'>, path: string): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await fs.readFile(path))
  } catch (error) {
    if (['notFound', 'isDirectory', 'notDirectory'].includes(fileErrorKind(error))) return undefined
    throw error
  }
}

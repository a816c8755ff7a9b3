import type { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/** A zip archive of these files. */
export function zipOf(files: readonly (readonly [path: string, content: Buffer])[]): Readable {
  const zip = new ZipFile()
  for (const [path, content] of files) zip.addBuffer(content, path)
  zip.end()
  return zip.outputStream as Readable
}

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const FILES_PER_FOLDER = 500

/** A folder with so many small files, in folders of its own. */
export async function makeFolder(path: string, files: number): Promise<string> {
  for (let start = 0; start < files; start += FILES_PER_FOLDER) {
    const folder = join(path, `folder${start / FILES_PER_FOLDER}`)
    await mkdir(folder, { recursive: true })
    const count = Math.min(FILES_PER_FOLDER, files - start)
    await Promise.all(
      Array.from({ length: count }, (_, index) =>
        writeFile(join(folder, `file${index}.js`), `export const a = ${index}\n`),
      ),
    )
  }
  return path
}

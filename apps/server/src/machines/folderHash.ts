import { createHash } from 'node:crypto'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'

/** A hash over the names, modes of execution and contents of everything in a folder, in hex. */
export async function folderHash(folder: string): Promise<string> {
  const hash = createHash('sha256')
  const add = async (path: string): Promise<void> => {
    const entries = await readdir(join(folder, path), { withFileTypes: true })
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const child = join(path, entry.name)
      if (entry.isDirectory()) {
        hash.update(`directory ${child}\0`)
        await add(child)
      } else if (entry.isSymbolicLink()) {
        hash.update(`link ${child}\0${await readlink(join(folder, child))}\0`)
      } else {
        const content = await readFile(join(folder, child))
        hash.update(`file ${child}\0${content.length}\0`).update(content)
      }
    }
  }
  await add('')
  return hash.digest('hex')
}

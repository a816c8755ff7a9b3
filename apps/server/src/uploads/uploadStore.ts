import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'

/** Bytes by their SHA-256. What is stored is on disk before it is acknowledged. */
export interface UploadStore {
  /** Stores the bytes and returns their hash. Storing the same again changes nothing. */
  put(content: Buffer): Promise<string>
  read(sha256: string): Readable
  /** Where the bytes are, for who reads parts of them. */
  path(sha256: string): string
  remove(sha256: string): Promise<void>
}

export function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

/** The store in a folder of the server. */
export function diskUploadStore(folder: string): UploadStore {
  const pathOf = (sha256: string) => join(folder, sha256.slice(0, 2), sha256.slice(2, 4), sha256)
  return {
    async put(content) {
      const sha256 = hashOf(content)
      const path = pathOf(sha256)
      if (await exists(path)) return sha256
      const parent = dirname(path)
      await mkdir(parent, { recursive: true, mode: 0o700 })
      const draft = `${path}.${randomUUID()}`
      try {
        const file = await open(draft, 'wx', 0o600)
        try {
          await file.writeFile(content)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(draft, path)
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
      // The name of the file is durable when its folder is, and so on up to the folder of the store.
      for (const each of [parent, dirname(parent), folder]) await syncFolder(each)
      return sha256
    },
    read: (sha256) => createReadStream(pathOf(sha256)),
    path: pathOf,
    remove: (sha256) => rm(pathOf(sha256), { force: true }),
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

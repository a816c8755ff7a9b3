import { lstat, open, readFile, rename } from 'node:fs/promises'
import path from 'node:path'
import type { z } from 'zod'

/** Replaces a file so that after a crash either the old or the new content is there, never half of one. */
export async function writeDurably(file: string, content: string): Promise<void> {
  const draft = `${file}.new`
  const handle = await open(draft, 'w', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(draft, file)
  await syncFolder(path.dirname(file))
}

/** Makes renames inside a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The content of a JSON file, or null when there is none. Content of another shape is an error. */
export async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<T | null> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
  return schema.parse(JSON.parse(text))
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** Whether something has this path; a link counts wherever it leads. */
export async function isThere(file: string): Promise<boolean> {
  try {
    await lstat(file)
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

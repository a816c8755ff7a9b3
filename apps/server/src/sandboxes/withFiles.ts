import { ApiError } from '@boxyard/api'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface GivenFile {
  code?: string | null | undefined
  /** Base64. */
  binary_content?: string | null | undefined
}

/** Writes files into a folder of their own for as long as `work` lasts. Paths that lead elsewhere are refused before anything is written. */
export async function withFiles<T>(
  files: Readonly<Record<string, GivenFile>>,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const safe = Object.entries(files).map(([path, file]) => [safePath(path), file] as const)
  const folder = await mkdtemp(join(tmpdir(), 'boxyard-files-'))
  try {
    await chmod(folder, 0o755)
    for (const [path, { code, binary_content: binary }] of safe) {
      const target = join(folder, path)
      await mkdir(dirname(target), { recursive: true })
      await writeFile(target, binary == null ? (code ?? '') : Buffer.from(binary, 'base64'), { flag: 'wx' })
    }
    return await work(folder)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EEXIST' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') {
      throw new ApiError('INVALID_INPUT', {
        detail: 'Two files have the same path, or a path is too long',
        cause: error,
      })
    }
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A path in a sandbox, without a leading slash. Throws for one that leads elsewhere. */
export function safePath(path: string): string {
  const parts = path.replace(/^\/+/, '').split('/')
  const isSafe = parts.every((part) => part !== '' && part !== '.' && part !== '..' && !part.includes('\0'))
  if (!isSafe)
    throw new ApiError('INVALID_INPUT', { fields: { files: [`${JSON.stringify(path)} is not a path in the sandbox`] } })
  return parts.join('/')
}

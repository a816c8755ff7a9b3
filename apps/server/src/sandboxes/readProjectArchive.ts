import type { DefinedFile } from '@boxyard/api'
import type { Entry } from 'yauzl'
import { invalidArchive, ZipArchive } from '../archives/zipArchive.ts'

/** Bytes of an archive. */
export const LARGEST_ARCHIVE = 32 * 1024 * 1024
/** With what is left out, such as installed packages. */
const limits = { files: 50_000, bytes: 512 * 1024 * 1024 }
const MOST_FILES = 1000
const LARGEST_FILE = 2 * 1024 * 1024
const LARGEST_PROJECT = 16 * 1024 * 1024

/** What is made or installed again, and what systems leave in folders; nobody misses it. */
const unwanted = new Set(['node_modules', '.git', '__MACOSX', '.DS_Store', 'Thumbs.db'])

export interface Project {
  files: Record<string, DefinedFile>
  /** What was not taken, and why, in words that end a sentence. */
  leftOut: { path: string; reason: string }[]
}

/**
 * The files of a project in a zip archive. A folder that has all of it is not part of their paths. Single files that can't be taken are left
 * out and named. @throws ApiError INVALID_INPUT for an archive that is broken, hostile, too large, or without files
 */
export async function readProjectArchive(bytes: Buffer): Promise<Project> {
  const archive = await ZipArchive.open(bytes, limits, 'This is no zip archive.')
  try {
    const wanted = [...archive.files].filter(([name]) => !name.split('/').some((part) => unwanted.has(part)))
    if (wanted.length === 0) throw invalidArchive('There are no files in it.')
    const root = commonFolder(wanted.map(([name]) => name))
    const files: Project['files'] = {}
    const leftOut: Project['leftOut'] = []
    let total = 0
    let taken = 0
    for (const [name, entry] of wanted) {
      const path = name.slice(root.length)
      const reason = reasonAgainst(path, entry)
      if (reason !== null) {
        leftOut.push({ path, reason })
        continue
      }
      taken += 1
      total += entry.uncompressedSize
      if (taken > MOST_FILES) throw invalidArchive(`A project has at most ${MOST_FILES} files.`)
      if (total > LARGEST_PROJECT)
        throw invalidArchive(`The files of a project have at most ${LARGEST_PROJECT / 1024 / 1024} MB.`)
      // Names are data: one of them may be that of the prototype.
      Object.defineProperty(files, path, { value: fileOf(await contentOf(archive, entry)), enumerable: true })
    }
    if (taken === 0) throw invalidArchive('None of its files can be taken.')
    return { files, leftOut }
  } finally {
    archive.close()
  }
}

async function contentOf(archive: ZipArchive, entry: Entry): Promise<Buffer> {
  try {
    return await archive.bytes(entry)
  } catch (error) {
    throw invalidArchive(`The archive is broken at ${entry.fileName.slice(0, 200)}.`, error)
  }
}

function reasonAgainst(path: string, entry: Entry): string | null {
  const parts = path.split('/')
  if (
    parts.some((part) => part === '' || part === '.' || part.length > 255) ||
    path.length > 1000 ||
    path.includes('\0')
  )
    return 'has a name that no file can have'
  if (isLink(entry)) return 'is a link'
  if (entry.isEncrypted()) return 'is encrypted'
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED)
    return 'is packed in a way that is not known'
  if (entry.uncompressedSize > LARGEST_FILE) return `is larger than ${LARGEST_FILE / 1024 / 1024} MB`
  return null
}

const STORED = 0
const DEFLATED = 8

/** Archives made on Unix keep the mode of a file in the upper half. */
const isLink = ({ externalFileAttributes }: Entry): boolean => ((externalFileAttributes >>> 16) & 0o170000) === 0o120000

/** The folder, with a slash behind it, that everything is in; empty without one. */
function commonFolder(names: readonly string[]): string {
  const folder = names[0]!.slice(0, names[0]!.indexOf('/') + 1)
  return names.every((name) => name.startsWith(folder)) ? folder : ''
}

function fileOf(content: Buffer): DefinedFile {
  const text = content.toString('utf8')
  // The database keeps no text with such a character.
  const isBinary = content.includes(0) || !Buffer.from(text, 'utf8').equals(content)
  return isBinary
    ? { content: `data:application/octet-stream;base64,${content.toString('base64')}`, isBinary }
    : { content: text, isBinary }
}

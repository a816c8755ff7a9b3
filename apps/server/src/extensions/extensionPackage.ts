import type { Readable } from 'node:stream'
import type { Entry } from 'yauzl'
import { z } from 'zod'
import { invalidArchive, ZipArchive } from '../archives/zipArchive.ts'
import { extensionNameSchema, extensionVersionSchema, publisherSchema } from './extensionName.ts'

/** Bytes of an archive. */
export const LARGEST_PACKAGE = 64 * 1024 * 1024
const limits = { files: 20_000, bytes: 512 * 1024 * 1024 }
const LARGEST_MANIFEST = 1024 * 1024
/** Beside it an archive has the papers of the registry, which nobody asks for. */
const FOLDER = 'extension/'

const manifestSchema = z.object({
  publisher: publisherSchema,
  name: extensionNameSchema,
  version: extensionVersionSchema,
  displayName: z.string().max(1000).optional(),
  engines: z.object({ vscode: z.string().min(1).max(100) }),
  main: z.string().max(1000).optional(),
  browser: z.string().max(1000).optional(),
})

export type ExtensionManifest = z.output<typeof manifestSchema>

/** The archive of an extension (.vsix). Files are read out of it one by one; nothing of it is ever unpacked to a disk. */
export class ExtensionPackage {
  readonly manifest: ExtensionManifest
  readonly #archive: ZipArchive
  readonly #files: ReadonlyMap<string, Entry>

  private constructor(archive: ZipArchive, files: ReadonlyMap<string, Entry>, manifest: ExtensionManifest) {
    this.#archive = archive
    this.#files = files
    this.manifest = manifest
  }

  /** Takes a path, or the bytes themselves. @throws ApiError INVALID_INPUT, which says what is wrong with it */
  static async open(file: string | Buffer): Promise<ExtensionPackage> {
    const archive = await ZipArchive.open(file, limits, 'This is no archive of an extension (.vsix).')
    try {
      const files = new Map<string, Entry>()
      for (const [name, entry] of archive.files)
        if (name.startsWith(FOLDER)) files.set(name.slice(FOLDER.length), entry)
      return new ExtensionPackage(archive, files, await manifestOf(archive, files))
    } catch (error) {
      archive.close()
      throw error
    }
  }

  /** Paths within the extension's own folder. */
  get paths(): string[] {
    return [...this.#files.keys()]
  }

  /** A file by its path within the extension's own folder; null when there is none. Ends with an error where the archive is broken. */
  async file(path: string): Promise<{ bytes: number; content: Readable } | null> {
    const entry = this.#files.get(path)
    return entry ? { bytes: entry.uncompressedSize, content: await this.#archive.content(entry) } : null
  }

  /** After the last file was read to its end. */
  close(): void {
    this.#archive.close()
  }
}

async function manifestOf(archive: ZipArchive, files: ReadonlyMap<string, Entry>): Promise<ExtensionManifest> {
  const entry = files.get('package.json')
  if (!entry) throw invalidArchive('It has no extension/package.json.')
  if (entry.uncompressedSize > LARGEST_MANIFEST) throw invalidArchive('Its package.json is larger than 1 MB.')
  let manifest: unknown
  try {
    manifest = JSON.parse((await archive.bytes(entry)).toString('utf8').replace(/^\uFEFF/, ''))
  } catch (error) {
    throw invalidArchive('Its package.json is no JSON.', error)
  }
  const parsed = manifestSchema.safeParse(manifest)
  if (parsed.success) return parsed.data
  const wrong = [...new Set(parsed.error.issues.map(({ path }) => path.join('.')))].join(', ')
  throw invalidArchive(`In its package.json these are missing or not valid: ${wrong}.`, parsed.error)
}

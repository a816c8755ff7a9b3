import { ApiError } from '@boxyard/api'
import type { Readable } from 'node:stream'
import { fromBuffer, open } from 'yauzl'
import type { Entry, Options, ZipFile } from 'yauzl'
import { z } from 'zod'
import { extensionNameSchema, extensionVersionSchema, publisherSchema } from './extensionName.ts'

/** Bytes of an archive. */
export const LARGEST_PACKAGE = 64 * 1024 * 1024
const MOST_FILES = 20_000
const LARGEST_UNPACKED = 512 * 1024 * 1024
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
  readonly #zip: ZipFile
  readonly #files: ReadonlyMap<string, Entry>

  private constructor(zip: ZipFile, files: ReadonlyMap<string, Entry>, manifest: ExtensionManifest) {
    this.#zip = zip
    this.#files = files
    this.manifest = manifest
  }

  /** Takes a path, or the bytes themselves. @throws ApiError INVALID_INPUT, which says what is wrong with it */
  static async open(file: string | Buffer): Promise<ExtensionPackage> {
    const zip = await openZip(file)
    try {
      const files = await filesOf(zip)
      return new ExtensionPackage(zip, files, await manifestOf(zip, files))
    } catch (error) {
      zip.close()
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
    return entry ? { bytes: entry.uncompressedSize, content: await contentOf(this.#zip, entry) } : null
  }

  /** After the last file was read to its end. */
  close(): void {
    this.#zip.close()
  }
}

/** Names that leave their folder, and files that are longer than they say, are errors. */
const options: Options = { lazyEntries: true, autoClose: false, strictFileNames: true, validateEntrySizes: true }

function openZip(file: string | Buffer): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, zip: ZipFile | undefined) => {
      if (zip) resolve(zip)
      else reject(notAnExtension('This is no archive of an extension (.vsix).', error))
    }
    if (typeof file === 'string') open(file, options, done)
    else fromBuffer(file, options, done)
  })
}

function filesOf(zip: ZipFile): Promise<Map<string, Entry>> {
  return new Promise((resolve, reject) => {
    const files = new Map<string, Entry>()
    let unpacked = 0
    if (zip.entryCount > MOST_FILES) return reject(notAnExtension(`It has more than ${MOST_FILES} files.`))
    zip.on('error', (error) => reject(notAnExtension('The archive is broken, or has names that leave it.', error)))
    zip.on('end', () => resolve(files))
    zip.on('entry', (entry: Entry) => {
      const { fileName } = entry
      unpacked += entry.uncompressedSize
      if (unpacked > LARGEST_UNPACKED) return reject(notAnExtension('Unpacked it is larger than 512 MB.'))
      const path = fileName.slice(FOLDER.length)
      if (fileName.startsWith(FOLDER) && !fileName.endsWith('/') && !files.has(path)) files.set(path, entry)
      zip.readEntry()
    })
    zip.readEntry()
  })
}

async function manifestOf(zip: ZipFile, files: ReadonlyMap<string, Entry>): Promise<ExtensionManifest> {
  const entry = files.get('package.json')
  if (!entry) throw notAnExtension('It has no extension/package.json.')
  if (entry.uncompressedSize > LARGEST_MANIFEST) throw notAnExtension('Its package.json is larger than 1 MB.')
  let manifest: unknown
  try {
    const chunks: Buffer[] = []
    for await (const chunk of await contentOf(zip, entry)) chunks.push(chunk as Buffer)
    manifest = JSON.parse(
      Buffer.concat(chunks)
        .toString('utf8')
        .replace(/^\uFEFF/, ''),
    )
  } catch (error) {
    throw notAnExtension('Its package.json is no JSON.', error)
  }
  const parsed = manifestSchema.safeParse(manifest)
  if (parsed.success) return parsed.data
  const wrong = [...new Set(parsed.error.issues.map(({ path }) => path.join('.')))].join(', ')
  throw notAnExtension(`In its package.json these are missing or not valid: ${wrong}.`, parsed.error)
}

function contentOf(zip: ZipFile, entry: Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, content) => {
      if (content) resolve(content)
      else reject(notAnExtension('The archive is broken.', error))
    })
  })
}

function notAnExtension(detail: string, cause?: unknown): ApiError {
  return new ApiError('INVALID_INPUT', { detail, cause })
}

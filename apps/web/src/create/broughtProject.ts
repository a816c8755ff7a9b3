import { zipFiles } from './zipFiles.ts'

/** What somebody brought, ready to be sent. */
export interface BroughtProject {
  name: string
  archive: Blob
  /** What could not be read here. */
  leftOut: { path: string; reason: string }[]
}

/** What is made or installed again; reading it would take minutes. */
const unwanted = new Set(['node_modules', '.git', '.DS_Store', 'Thumbs.db'])
const MOST_FILES = 1000
const MOST_BYTES = 16 * 1024 * 1024
const LARGEST_FILE = 2 * 1024 * 1024
const LARGEST_ARCHIVE = 32 * 1024 * 1024

export function broughtArchive(file: File): BroughtProject {
  if (!/\.zip$/i.test(file.name))
    throw new Error(`${file.name} is no zip archive. Bring a .zip file, or drop a folder.`)
  if (file.size > LARGEST_ARCHIVE)
    throw new Error('The archive is larger than 32 MB. Leave out what can be installed again.')
  return { name: file.name.replace(/\.zip$/i, ''), archive: file, leftOut: [] }
}

/**
 * What was dropped: a zip archive, or a folder with all that is below it. Has to be called while the drop is handled; what was dropped is
 * gone afterwards. Rejects with what is to be told.
 */
export function broughtByDrop(transfer: DataTransfer, onRead: (files: number) => void): Promise<BroughtProject> {
  const [entry, ...others] = [...transfer.items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => item.webkitGetAsEntry())
    .filter((one) => one !== null)
  const [file] = transfer.files
  if (others.length > 0) return Promise.reject(new Error('Drop one folder or one zip archive at a time.'))
  if (entry?.isDirectory) return readFolder(entry as FileSystemDirectoryEntry, onRead)
  return file ? Promise.resolve(file).then(broughtArchive) : Promise.reject(new Error('There is no file in it.'))
}

async function readFolder(root: FileSystemDirectoryEntry, onRead: (files: number) => void): Promise<BroughtProject> {
  const files: { path: string; bytes: Uint8Array<ArrayBuffer> }[] = []
  const leftOut: BroughtProject['leftOut'] = []
  let total = 0
  const visit = async (folder: FileSystemDirectoryEntry, prefix: string): Promise<void> => {
    for (const entry of await entriesOf(folder)) {
      if (unwanted.has(entry.name)) continue
      const path = prefix + entry.name
      if (entry.isDirectory) {
        await visit(entry as FileSystemDirectoryEntry, `${path}/`)
        continue
      }
      let file: File
      try {
        file = await fileOf(entry as FileSystemFileEntry)
        if (file.size > LARGEST_FILE) {
          leftOut.push({ path, reason: 'is larger than 2 MB' })
          continue
        }
        files.push({ path, bytes: new Uint8Array(await file.arrayBuffer()) })
      } catch (error) {
        leftOut.push({ path, reason: `could not be read (${error instanceof Error ? error.message : String(error)})` })
        continue
      }
      total += file.size
      if (files.length > MOST_FILES)
        throw new Error(`A project has at most ${MOST_FILES} files. Drop a smaller folder.`)
      if (total > MOST_BYTES) throw new Error('The files of a project have at most 16 MB. Drop a smaller folder.')
      onRead(files.length)
    }
  }
  await visit(root, '')
  if (files.length === 0) throw new Error(`There are no files in ${root.name}.`)
  return { name: root.name, archive: zipFiles(files), leftOut }
}

/** A browser hands out a folder in portions, and an empty one at the end. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (portion.length === 0) return all
    all.push(...portion)
  }
}

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject))

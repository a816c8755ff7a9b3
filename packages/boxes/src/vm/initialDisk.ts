import { gzipSync } from 'node:zlib'

export interface InitialFile {
  /** Without a leading slash. Folders come before what is in them. */
  name: string
  /** Null for a folder. */
  content: Uint8Array | null
}

const FOLDER_MODE = 0o040755
const FILE_MODE = 0o100755

/** The initial memory disk that a kernel unpacks: a compressed archive in the format `newc` of cpio. */
export function initialDisk(files: readonly InitialFile[]): Buffer {
  const parts = files.flatMap(({ name, content }, index) => entry(index + 1, name, content))
  return gzipSync(Buffer.concat([...parts, ...entry(0, 'TRAILER!!!', new Uint8Array())]), { level: 1 })
}

function entry(inode: number, name: string, content: Uint8Array | null): Uint8Array[] {
  const size = content?.length ?? 0
  const fields = [
    [inode, content === null ? FOLDER_MODE : FILE_MODE, 0, 0, content === null ? 2 : 1, 0, size],
    [0, 0, 0, 0, Buffer.byteLength(name) + 1, 0],
  ].flat()
  const header = `070701${fields.map((field) => field.toString(16).padStart(8, '0')).join('')}${name}\0`
  return [padded(Buffer.from(header)), padded(content ?? new Uint8Array())]
}

/** Names and contents each end at a multiple of four bytes. */
function padded(bytes: Uint8Array): Uint8Array {
  const rest = bytes.length % 4
  return rest === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(4 - rest)])
}

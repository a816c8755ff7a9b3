/** A zip archive of these files, not compressed: it goes to the server and nowhere else. Paths have no leading slash. */
export function zipFiles(files: readonly { path: string; bytes: Uint8Array<ArrayBuffer> }[]): Blob {
  const parts: Uint8Array<ArrayBuffer>[] = []
  const directory: Uint8Array<ArrayBuffer>[] = []
  let offset = 0
  for (const { path, bytes } of files) {
    const name = new TextEncoder().encode(path)
    // Version, names in UTF-8, stored, no time, checksum, sizes, length of the name.
    const common = [two(20), two(0x0800), two(0), two(0), two(0x21), four(checksum(bytes)), four(bytes.length)]
    common.push(four(bytes.length), two(name.length), two(0))
    const local = joined([four(0x04034b50), ...common, name])
    directory.push(joined([four(0x02014b50), two(20), ...common, two(0), two(0), two(0), four(0), four(offset), name]))
    parts.push(local, bytes)
    offset += local.length + bytes.length
  }
  const listed = joined(directory)
  const end = [four(0x06054b50), two(0), two(0), two(files.length), two(files.length)]
  return new Blob([...parts, listed, joined([...end, four(listed.length), four(offset), two(0)])])
}

const two = (value: number) => Uint8Array.of(value & 0xff, value >>> 8)
const four = (value: number) => Uint8Array.of(value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, value >>> 24)

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** CRC-32. */
function checksum(bytes: Uint8Array): number {
  let value = 0xffffffff
  for (const byte of bytes) value = (value >>> 8) ^ table[(value ^ byte) & 0xff]!
  return (value ^ 0xffffffff) >>> 0
}

import { crc32 } from 'node:zlib'

/** Length and CRC-32 of the record, each as 32 bits, little endian. */
const HEADER_BYTES = 8

/** A record as it stands in the file. A record is never empty. */
export function frameRecord(record: Uint8Array): Uint8Array {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + record.byteLength)
  bytes.writeUInt32LE(record.byteLength, 0)
  bytes.writeUInt32LE(crc32(record), 4)
  bytes.set(record, HEADER_BYTES)
  return bytes
}

/** The whole records at the start of the bytes, and the length they take. What follows was torn by a crash. */
export function readRecords(bytes: Buffer): { records: Uint8Array[]; length: number } {
  const records: Uint8Array[] = []
  let offset = 0
  while (offset + HEADER_BYTES <= bytes.length) {
    const length = bytes.readUInt32LE(offset)
    const end = offset + HEADER_BYTES + length
    // A lost power supply can leave zeros, which would be whole records of nothing.
    if (length === 0 || end > bytes.length) break
    const record = bytes.subarray(offset + HEADER_BYTES, end)
    if (crc32(record) !== bytes.readUInt32LE(offset + 4)) break
    records.push(record)
    offset = end
  }
  return { records, length: offset }
}

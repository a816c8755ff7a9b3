/** Public clients refuse to encode deeper values. */
const MAX_DEPTH = 100
/** More than the largest text operation. Every value costs far more memory than its byte in the frame. */
const MAX_VALUES = 2_000_000

/** Bytes behind the first one of each format with a fixed length, from 0xca: floats, integers, and extensions with their type. */
const fixedLengths: Readonly<Record<number, number>> = {
  0xca: 4,
  0xcb: 8,
  0xcc: 1,
  0xcd: 2,
  0xce: 4,
  0xcf: 8,
  0xd0: 1,
  0xd1: 2,
  0xd2: 4,
  0xd3: 8,
  0xd4: 2,
  0xd5: 3,
  0xd6: 5,
  0xd7: 9,
  0xd8: 17,
}

/** Width of the length field of formats that carry their length, by their first byte. */
const lengthWidths: Readonly<Record<number, 1 | 2 | 4>> = {
  0xc4: 1,
  0xc5: 2,
  0xc6: 4,
  0xc7: 1,
  0xc8: 2,
  0xc9: 4,
  0xd9: 1,
  0xda: 2,
  0xdb: 4,
  0xdc: 2,
  0xdd: 4,
  0xde: 2,
  0xdf: 4,
}

/**
 * Walks a msgpack frame without decoding it and throws when its values are nested too deep, too many or cut off. A few megabytes
 * of nested arrays would otherwise take gigabytes to decode.
 */
export function checkFrameStructure(frame: Uint8Array): void {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
  /** Values left to read at each level. */
  const left = [1]
  let offset = 0
  let values = 0
  while (left.length > 0) {
    const level = left.length - 1
    if (left[level] === 0) {
      left.pop()
      continue
    }
    left[level]! -= 1
    values += 1
    if (values > MAX_VALUES) throw new RangeError('The frame has too many values')
    const { contents, next } = readHead(view, offset)
    offset = next
    if (offset > frame.byteLength) throw new RangeError('The frame is cut off')
    if (contents === 0) continue
    if (contents > frame.byteLength - offset) throw new RangeError('The frame is cut off')
    if (left.length > MAX_DEPTH) throw new RangeError('The frame is nested too deep')
    left.push(contents)
  }
}

/** Where the next value begins, and how many values stand inside of this one. */
function readHead(view: DataView, offset: number): { contents: number; next: number } {
  const first = view.getUint8(offset)
  const next = offset + 1
  if (first <= 0x7f || first >= 0xe0) return { contents: 0, next }
  if (first <= 0x8f) return { contents: (first & 0x0f) * 2, next }
  if (first <= 0x9f) return { contents: first & 0x0f, next }
  if (first <= 0xbf) return { contents: 0, next: next + (first & 0x1f) }
  const fixed = fixedLengths[first]
  if (fixed !== undefined) return { contents: 0, next: next + fixed }
  const width = lengthWidths[first]
  if (width === undefined) {
    if (first === 0xc1) throw new RangeError('The frame has an unknown format')
    return { contents: 0, next }
  }
  const length = width === 1 ? view.getUint8(next) : width === 2 ? view.getUint16(next) : view.getUint32(next)
  const start = next + width
  if (first >= 0xde) return { contents: length * 2, next: start }
  if (first >= 0xdc) return { contents: length, next: start }
  const typeByte = first >= 0xc7 && first <= 0xc9 ? 1 : 0
  return { contents: 0, next: start + typeByte + length }
}

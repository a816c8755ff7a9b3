import { ApiError } from '@boxyard/api'

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const valueOf = new Map([...BASE64, '-', '_'].map((sign, at) => [sign, at < 64 ? at : at - 2]))

const invalid = () =>
  new ApiError('INVALID_INPUT', { fields: { parameters: ['They are not compressed with LZ-string.'] } })

/**
 * What LZ-string compressed to Base64, plain or safe for addresses. A short text can stand for gigabytes, so it ends at `most`
 * characters, which is why the library itself is of no use here.
 */
export function decompressLz(compressed: string, most: number): string {
  const bits = new BitReader(compressed.replace(/[=\s]+$/, ''))
  /** By code; the first three mean: a letter of 8 bits, a letter of 16 bits, the end. */
  const dictionary: string[] = ['', '', '']
  const letter = (size: number) => String.fromCharCode(bits.read(size))
  const first = bits.read(2)
  if (first === 2) return ''
  if (first === 3) throw invalid()
  let last = letter(first === 0 ? 8 : 16)
  dictionary.push(last)
  let width = 3
  let left = 4
  let length = last.length
  const parts = [last]
  const used = () => {
    left -= 1
    if (left > 0) return
    left = 2 ** width
    width += 1
  }
  for (;;) {
    let code = bits.read(width)
    if (code === 2) return parts.join('')
    if (code < 2) {
      dictionary.push(letter(code === 0 ? 8 : 16))
      code = dictionary.length - 1
      used()
    }
    const entry = dictionary[code] ?? (code === dictionary.length ? last + last.charAt(0) : null)
    if (entry === null) throw invalid()
    length += entry.length
    if (length > most) throw new ApiError('PAYLOAD_TOO_LARGE', { detail: 'The files are too large' })
    parts.push(entry)
    dictionary.push(last + entry.charAt(0))
    used()
    last = entry
  }
}

/** Numbers of any width, lowest bit first, out of signs of six bits, highest bit first. */
class BitReader {
  readonly #text: string
  #at = 0
  #mask = 0
  #value = 0

  constructor(text: string) {
    this.#text = text
  }

  read(width: number): number {
    let result = 0
    for (let power = 0; power < width; power += 1) {
      if (this.#mask === 0) this.#next()
      if ((this.#value & this.#mask) !== 0) result += 2 ** power
      this.#mask >>= 1
    }
    return result
  }

  #next(): void {
    const value = valueOf.get(this.#text.charAt(this.#at))
    if (value === undefined) throw invalid()
    this.#at += 1
    this.#mask = 32
    this.#value = value
  }
}

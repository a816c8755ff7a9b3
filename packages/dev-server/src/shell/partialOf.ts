import type { StringDecoder } from 'node:string_decoder'

/** What Node's decoder shows beside its documented calls. */
interface DecoderState {
  readonly lastChar: Buffer
  readonly lastNeed: number
  readonly lastTotal: number
}

/** The bytes of a character of which the decoder waits for the rest, as base64. */
export function partialOf(decoder: StringDecoder): string {
  const { lastChar, lastNeed, lastTotal } = decoder as StringDecoder & DecoderState
  return lastNeed === 0 ? '' : lastChar.subarray(0, lastTotal - lastNeed).toString('base64')
}

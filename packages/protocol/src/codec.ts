import { decode as unpack, encode as pack } from '@msgpack/msgpack'
import { checkFrameStructure } from './frameStructure.ts'

/**
 * One frame holds one msgpack map. Limits keep a hostile frame from exhausting memory before it is validated:
 * a whole file travels in one frame, so the binary limit is the largest upload.
 */
export const MAX_FRAME_BYTES = 64 * 1024 * 1024

const limits = {
  maxStrLength: MAX_FRAME_BYTES,
  maxBinLength: MAX_FRAME_BYTES,
  maxArrayLength: 1_000_000,
  maxMapLength: 100_000,
  maxExtLength: 0,
}

/** Encodes a message into one binary frame. `undefined` becomes nil, `Uint8Array` becomes bin. */
export function encode(message: unknown): Uint8Array {
  return pack(message)
}

/** Decodes one binary frame. Throws on anything that is not exactly one msgpack value within the limits. */
export function decode(frame: Uint8Array): unknown {
  checkFrameStructure(frame)
  return unpack(frame, limits)
}

/**
 * Removes nil members of maps, at every depth. Clients encode an absent optional parameter as nil, so after this step
 * absent and nil are one thing. Array elements keep their place.
 */
export function dropNil(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropNil)
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value
  const out: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) {
    if (member === null || member === undefined || key === '__proto__') continue
    out[key] = dropNil(member)
  }
  return out
}

/** What goes over the port of a guest, in both directions: `[connection: u32][type: u8][length: u32][payload]`. */
export const frameTypes = { control: 0, open: 1, data: 2, end: 3, reset: 4, window: 5, log: 6 } as const
export type FrameType = (typeof frameTypes)[keyof typeof frameTypes]

export interface GuestFrame {
  connection: number
  type: number
  payload: Buffer
}

const HEADER = 9
/** A guest may say anything; more than this is not a frame of the agent. */
const MAX_PAYLOAD = 1024 * 1024

export function encodeFrame(connection: number, type: FrameType, payload: Uint8Array = new Uint8Array()): Buffer {
  const frame = Buffer.allocUnsafe(HEADER + payload.length)
  frame.writeUInt32BE(connection, 0)
  frame.writeUInt8(type, 4)
  frame.writeUInt32BE(payload.length, 5)
  frame.set(payload, HEADER)
  return frame
}

/** Puts frames together from the pieces they arrive in. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0)

  /** Throws RangeError for what no agent says. */
  read(chunk: Buffer): GuestFrame[] {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const frames: GuestFrame[] = []
    let offset = 0
    while (this.#rest.length - offset >= HEADER) {
      const length = this.#rest.readUInt32BE(offset + 5)
      if (length > MAX_PAYLOAD) throw new RangeError(`a frame of ${length} bytes`)
      const end = offset + HEADER + length
      if (this.#rest.length < end) break
      frames.push({
        connection: this.#rest.readUInt32BE(offset),
        type: this.#rest.readUInt8(offset + 4),
        payload: this.#rest.subarray(offset + HEADER, end),
      })
      offset = end
    }
    this.#rest = this.#rest.subarray(offset)
    return frames
  }
}

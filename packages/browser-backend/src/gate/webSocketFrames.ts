// Frames of WebSockets (RFC 6455), as a client writes and reads them, without extensions.

export const OPCODES = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

export interface Message {
  opcode: number
  data: Uint8Array<ArrayBuffer>
}

/** One frame with all of a message; what clients send is masked. */
export function encodeFrame(opcode: number, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const size = data.length
  const lengthBytes = size < 126 ? 0 : size < 65_536 ? 2 : 8
  const frame = new Uint8Array(2 + lengthBytes + 4 + size)
  const view = new DataView(frame.buffer)
  frame[0] = 0x80 | opcode
  frame[1] = 0x80 | (lengthBytes === 0 ? size : lengthBytes === 2 ? 126 : 127)
  if (lengthBytes === 2) view.setUint16(2, size)
  if (lengthBytes === 8) view.setBigUint64(2, BigInt(size))
  const mask = crypto.getRandomValues(frame.subarray(2 + lengthBytes, 6 + lengthBytes))
  const content = frame.subarray(6 + lengthBytes)
  for (let index = 0; index < size; index += 1) content[index] = data[index]! ^ mask[index & 3]!
  return frame
}

/** What a peer must not send. `code` is the status to close with. */
export class FrameError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** Takes bytes as they come and gives whole messages; parts of one message are put together. */
export class FrameReader {
  #bytes = new Uint8Array(0)
  #parts: { opcode: number; chunks: Uint8Array[] } | null = null

  read(bytes: Uint8Array): Message[] {
    const joined = new Uint8Array(this.#bytes.length + bytes.length)
    joined.set(this.#bytes)
    joined.set(bytes, this.#bytes.length)
    this.#bytes = joined
    const messages: Message[] = []
    for (let frame = this.#next(); frame; frame = this.#next()) {
      const message = this.#join(frame)
      if (message) messages.push(message)
    }
    return messages
  }

  #next(): { isLast: boolean; opcode: number; data: Uint8Array<ArrayBuffer> } | null {
    const bytes = this.#bytes
    if (bytes.length < 2) return null
    const [first = 0, second = 0] = bytes
    if (first & 0x70) throw new FrameError(1002, 'It uses an extension that nobody asked for')
    if (second & 0x80) throw new FrameError(1002, 'Frames of servers are not masked')
    const short = second & 0x7f
    const start = short < 126 ? 2 : short === 126 ? 4 : 10
    if (bytes.length < start) return null
    const view = new DataView(bytes.buffer, bytes.byteOffset)
    const size = short < 126 ? short : short === 126 ? view.getUint16(2) : Number(view.getBigUint64(2))
    if (bytes.length < start + size) return null
    this.#bytes = bytes.slice(start + size)
    return { isLast: (first & 0x80) !== 0, opcode: first & 0x0f, data: bytes.slice(start, start + size) }
  }

  #join({ isLast, opcode, data }: { isLast: boolean; opcode: number; data: Uint8Array<ArrayBuffer> }): Message | null {
    // Those that control the connection may stand between the parts of another one.
    if (opcode >= OPCODES.close) return { opcode, data }
    if ((opcode === OPCODES.continuation) !== (this.#parts !== null))
      throw new FrameError(1002, 'A part of a message is out of place')
    this.#parts ??= { opcode, chunks: [] }
    this.#parts.chunks.push(data)
    if (!isLast) return null
    const { opcode: kind, chunks } = this.#parts
    this.#parts = null
    if (chunks.length === 1) return { opcode: kind, data }
    const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
    let at = 0
    for (const chunk of chunks) {
      whole.set(chunk, at)
      at += chunk.length
    }
    return { opcode: kind, data: whole }
  }
}

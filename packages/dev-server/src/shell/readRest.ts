import { readSync } from 'node:fs'

const READ_BYTES = 64 * 1024

/**
 * Reads what a pty still holds. When its other side hangs up, libuv reports the end after the first read that did not fill its buffer, but
 * the kernel may hold up to 64 KB more in pieces of 4 KB.
 */
export function readRest(descriptor: number, take: (bytes: Uint8Array) => void): void {
  const buffer = Buffer.alloc(READ_BYTES)
  for (;;) {
    let length: number
    try {
      length = readSync(descriptor, buffer)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // EIO: nothing is left and the other side is closed. EAGAIN: nothing is left.
      if (code === 'EIO' || code === 'EAGAIN') return
      throw error
    }
    if (length === 0) return
    take(buffer.subarray(0, length))
  }
}

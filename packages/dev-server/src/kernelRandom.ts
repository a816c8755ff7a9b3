import { open } from 'node:fs/promises'

/**
 * Random bytes of the kernel. Node draws from a generator of its own, whose state a copy of this process has too: what it says would be known
 * in a box that was forked with its memory, while the kernel of every copy is given an entropy of its own.
 */
export async function kernelRandom(bytes: number): Promise<Buffer> {
  const device = await open('/dev/urandom', 'r')
  try {
    const { buffer, bytesRead } = await device.read(Buffer.alloc(bytes), 0, bytes)
    if (bytesRead !== bytes) throw new Error(`the kernel gave ${bytesRead} of ${bytes} random bytes`)
    return buffer
  } finally {
    await device.close()
  }
}

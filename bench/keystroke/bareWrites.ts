import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const WRITES = 200
const RECORD = Buffer.alloc(150)

/** Milliseconds that the disk alone needs to keep one record, a few milliseconds apart: no durable keystroke is faster. */
export async function bareWrites(): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'boxyard-bench-disk-'))
  const file = await open(join(folder, 'file'), 'w')
  try {
    const took: number[] = []
    for (let index = 0; index < WRITES; index += 1) {
      await delay(4)
      const start = performance.now()
      await file.write(RECORD)
      await file.datasync()
      took.push(performance.now() - start)
    }
    return took
  } finally {
    await file.close()
    await rm(folder, { recursive: true })
  }
}

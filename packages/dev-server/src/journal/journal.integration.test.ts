import { appendFile, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Journal, type JournalOptions } from './journal.ts'

describe('journal', () => {
  let folder: string
  let path: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'boxyard-journal-'))
    path = join(folder, 'journal')
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const record = (text: string): Uint8Array => new Uint8Array(Buffer.from(text))
  const open = async (options: Partial<JournalOptions> = {}): Promise<{ journal: Journal; texts: string[] }> => {
    const { journal, records } = await Journal.open({
      path,
      snapshot: () => [],
      onFailure: () => undefined,
      ...options,
    })
    return { journal, texts: records.map((bytes) => Buffer.from(bytes).toString()) }
  }

  const stored = async (): Promise<string[]> => {
    const { journal, texts } = await open()
    await journal.close()
    return texts
  }

  it('JOURNAL1: hands out after a restart what was appended, in order', async () => {
    const { journal } = await open()
    await Promise.all(['a', 'b', 'c'.repeat(100_000)].map((text) => journal.appended(record(text))))
    await journal.close()
    expect(await stored()).toEqual(['a', 'b', 'c'.repeat(100_000)])
  })

  it('JOURNAL2: is on disk when it says so, and says so in order', async () => {
    const { journal } = await open()
    const order: string[] = []
    const sizes: Promise<number>[] = []
    const append = (text: string): void =>
      journal.append(record(text), () => {
        order.push(text)
        sizes.push(stat(path).then(({ size }) => size))
      })
    append('a')
    append('b')
    journal.barrier(() => order.push('|'))
    append('c')
    await journal.flushed()
    expect(order).toEqual(['a', 'b', '|', 'c'])
    for (const size of await Promise.all(sizes)) expect(size).toBeGreaterThanOrEqual(3 * 9)
    // The next turn finds nothing waiting, and then a barrier does not wait either.
    await new Promise((resolve) => setImmediate(resolve))
    const called: string[] = []
    journal.barrier(() => called.push('barrier'))
    called.push('behind')
    expect(called).toEqual(['barrier', 'behind'])
    await journal.close()
  })

  it('JOURNAL3: a torn record at the end is dropped, wherever it is torn, and the next one follows the whole ones', async () => {
    const { journal } = await open()
    await journal.appended(record('first'))
    await journal.appended(record('second'))
    await journal.close()
    const [whole, end] = [8 + 'first'.length, 8 + 'first'.length + 8 + 'second'.length]
    const bytes = (await readFile(path)).subarray(0, end)
    for (let length = whole; length < bytes.length; length += 1) {
      await writeFile(path, bytes.subarray(0, length))
      const again = await open()
      expect(again.texts).toEqual(['first'])
      await again.journal.appended(record('third'))
      await again.journal.close()
      expect(await stored()).toEqual(['first', 'third'])
    }
    const flipped = Buffer.from(bytes)
    flipped[bytes.length - 1]! ^= 1
    await writeFile(path, flipped)
    expect(await stored()).toEqual(['first'])
  })

  it('JOURNAL4: a long journal is replaced by its snapshot, which covers what waits', async () => {
    const state: string[] = []
    const { journal } = await open({ compactAbove: 500, snapshot: () => [record(state.join(','))] })
    for (let index = 0; index < 200; index += 1) {
      state.push(String(index))
      await journal.appended(record(`+${index}`))
    }
    await journal.close()
    const texts = await stored()
    const [snapshot = '', ...rest] = texts
    const replayed = [...snapshot.split(','), ...rest.map((text) => text.slice(1))]
    expect(replayed).toEqual(state)
    expect(rest.length).toBeLessThan(199)
  })

  it('JOURNAL5: a snapshot that was not finished does not count', async () => {
    const { journal } = await open()
    await journal.appended(record('kept'))
    await journal.close()
    await appendFile(`${path}.next`, 'half a snapshot')
    expect(await stored()).toEqual(['kept'])
    await expect(stat(`${path}.next`)).rejects.toThrow('ENOENT')
  })

  it('JOURNAL6: an empty or zeroed file is an empty journal', async () => {
    await writeFile(path, '')
    expect(await stored()).toEqual([])
    await truncate(path, 0)
    await writeFile(path, Buffer.alloc(4096))
    const { journal, texts } = await open()
    expect(texts).toEqual([])
    await journal.appended(record('x'))
    await journal.close()
    expect(await stored()).toEqual(['x'])
  })

  it('JOURNAL500: keeps its size while records take the place of zeros, over restarts too', async () => {
    const { journal } = await open()
    await journal.appended(record('first'))
    const { size } = await stat(path)
    for (let count = 0; count < 50; count += 1) await journal.appended(record('x'.repeat(1000)))
    await journal.close()
    expect((await stat(path)).size).toBe(size)
    const again = await open()
    await again.journal.appended(record('last'))
    await again.journal.close()
    expect((await stat(path)).size).toBe(size)
    const texts = await stored()
    expect([texts[0], texts.length, texts.at(-1)]).toEqual(['first', 52, 'last'])
  })

  it('JOURNAL500: a record that is torn inside of the zeros is dropped with what is behind it', async () => {
    const { journal } = await open()
    await journal.appended(record('first'))
    await journal.appended(record('second'))
    await journal.appended(record('third'))
    await journal.close()
    const bytes = await readFile(path)
    // The head of the second record did not reach the disk, although the third did.
    bytes.fill(0, 8 + 'first'.length, 8 + 'first'.length + 8)
    await writeFile(path, bytes)
    const again = await open()
    expect(again.texts).toEqual(['first'])
    await again.journal.appended(record('other'))
    await again.journal.close()
    expect(await stored()).toEqual(['first', 'other'])
  })
})

import { expect, it } from 'vitest'
import { fromBuffer } from 'yauzl'
import type { Entry, Options, ZipFile } from 'yauzl'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { zipFiles } from './zipFiles.ts'

const openZip = promisify<Buffer, Options, ZipFile>(fromBuffer)

async function readZip(bytes: Buffer): Promise<[string, string][]> {
  const zip = await openZip(bytes, { lazyEntries: true, autoClose: false })
  const entries: Entry[] = []
  zip.on('entry', (entry: Entry) => {
    entries.push(entry)
    zip.readEntry()
  })
  const ended = once(zip, 'end')
  zip.readEntry()
  await ended
  const open = promisify<Entry, Readable>(zip.openReadStream.bind(zip))
  return Promise.all(
    entries.map(async (entry): Promise<[string, string]> => [entry.fileName, await text(await open(entry))]),
  )
}

it('makes an archive that others read', async () => {
  const files = { 'a.txt': 'one', 'src/über.txt': 'zwei', empty: '' }
  const blob = zipFiles(
    Object.entries(files).map(([path, content]) => ({ path, bytes: new TextEncoder().encode(content) })),
  )
  expect(await readZip(Buffer.from(await blob.arrayBuffer()))).toEqual(Object.entries(files))
})

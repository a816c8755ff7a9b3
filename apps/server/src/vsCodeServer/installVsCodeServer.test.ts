import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { installVsCodeServer, isInstalled } from './installVsCodeServer.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'boxyard-vs-code-server-'))
})
afterEach(() => rm(folder, { recursive: true }))

it('refuses an archive that is not the one it was made with, unread, and leaves nothing behind', async () => {
  let isRead = false
  const other = {
    size: 1,
    etag: `"${'0'.repeat(128)}"`,
    stream: () => {
      isRead = true
      return Readable.from([])
    },
  }
  await expect(installVsCodeServer(folder, { tarball: async () => other })).rejects.toMatchObject({
    code: 'INTEGRITY',
  })
  expect(isRead).toBe(false)
  expect(await isInstalled(folder)).toBe(false)
  expect(await readdir(folder)).toEqual([])
})

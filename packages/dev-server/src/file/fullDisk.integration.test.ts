import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startDevServer, type DevServer } from '../devServer.ts'
import { createLog } from '../log.ts'
import { createTestBox, type TestBox } from '../testing/testBox.ts'
import { TestClient } from '../testing/testClient.ts'

const run = promisify(execFile)

/** Mounting needs a privilege that not every machine gives to its tests. */
const disk = await mkdtemp(join(tmpdir(), 'boxyard-full-disk-'))
const mounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk]).then(
  () => true,
  () => false,
)

describe.skipIf(!mounted)('full disk', () => {
  let box: TestBox
  let server: DevServer
  let ada: TestClient
  const start = async (): Promise<void> => {
    server = await startDevServer(
      box.configuration,
      createLog(() => undefined),
    )
    ada = await TestClient.join(box.configuration.socket, await box.token())
  }
  beforeAll(async () => {
    box = await createTestBox({ workspace: join(disk, 'workspace'), state: join(disk, 'state') })
    await writeFile(join(disk, 'workspace', 'a.txt'), 'hello')
    await start()
  })
  afterAll(async () => {
    await server.stop()
    await box.remove()
    if (mounted) await run('umount', [disk])
    await rm(disk, { recursive: true, force: true })
  })

  const fill = (): Promise<unknown> =>
    run('dd', ['if=/dev/zero', `of=${join(disk, 'filler')}`, 'bs=4k']).catch(() => undefined)

  it('FILE20: on a full disk nothing is acknowledged, nothing is lost and work goes on when there is space', async () => {
    const { id, document } = await ada.call('file/openByPath', { path: 'a.txt' })
    let revision = document?.revision ?? -1
    let text = 'hello'
    const type = async (addition: string): Promise<void> => {
      const operation = [text.length, addition]
      const answer = await ada.call('file/documentOperation', { id, operation, revision })
      revision = answer.revision
      text += addition
    }
    await type(' before')
    await fill()

    const full = expect.objectContaining({ code: 102, data: { errno: 28 } })
    // The journal may still have room in its last block.
    const typeUntilFull = async (): Promise<void> => {
      for (;;) await type('x'.repeat(1000))
    }
    await expect(typeUntilFull()).rejects.toEqual(full)
    await expect(type('y'.repeat(5000))).rejects.toEqual(full)
    expect(await ada.call('file/open', { id })).toMatchObject({ content: text, document: { revision } })
    // A restart works without space, too.
    await server.stop()
    await start()
    expect(await ada.call('file/open', { id })).toMatchObject({ content: text, document: { revision } })

    await rm(join(disk, 'filler'))
    await type(' after')
    await ada.call('file/save', { id })
    expect(await readFile(join(disk, 'workspace', 'a.txt'), 'utf8')).toBe(text)
    await server.stop()
    await start()
    expect(await ada.call('file/open', { id })).toMatchObject({ content: text })
  })

  it('FILE21: a save or a raw write that the disk has no room for leaves the old file whole', async () => {
    await mkdir(join(disk, 'workspace', 'sub'), { recursive: true })
    const path = join(disk, 'workspace', 'sub', 'b.txt')
    await writeFile(path, 'old')
    const { id, document } = await ada.call('file/openByPath', { path })
    const addition = 'z'.repeat(100_000)
    const { revision } = await ada.call('file/documentOperation', {
      id,
      operation: [3, addition],
      revision: document?.revision ?? -1,
    })
    await fill()
    await expect(ada.call('file/save', { id })).rejects.toMatchObject({ code: 102, data: { errno: 28 } })
    expect(await readFile(path, 'utf8')).toBe('old')
    expect(await ada.call('file/open', { id })).toMatchObject({ content: `old${addition}`, document: { revision } })
    const content = new Uint8Array(100_000)
    await expect(ada.call('fs/writeFile', { path, content, overwrite: true })).rejects.toMatchObject({
      data: { errno: 28 },
    })
    expect(await readFile(path, 'utf8')).toBe('old')
    await rm(join(disk, 'filler'))
    await ada.call('file/save', { id })
    expect((await stat(path)).size).toBe(100_003)
  })
})

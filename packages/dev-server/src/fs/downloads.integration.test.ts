import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startDevServer, type DevServer } from '../devServer.ts'
import { createLog } from '../log.ts'
import { ManualTimers } from '../shell/manualTimers.ts'
import { createTestBox, type TestBox } from '../testing/testBox.ts'
import { TestClient } from '../testing/testClient.ts'
import { Downloads } from './Downloads.ts'

describe('downloads', () => {
  let box: TestBox
  let server: DevServer
  beforeEach(async () => {
    box = await createTestBox()
    const { workspace } = box.configuration
    await mkdir(join(workspace, 'src/node_modules/dep'), { recursive: true })
    await mkdir(join(workspace, 'empty'))
    await writeFile(join(workspace, 'src/ünï code.txt'), 'text'.repeat(100_000))
    await writeFile(join(workspace, 'src/node_modules/dep/index.js'), '')
    await writeFile(join(workspace, '.env'), 'A=1')
    await symlink('/etc', join(workspace, 'link'))
    server = await startDevServer(
      box.configuration,
      createLog(() => undefined),
    )
  })
  afterEach(async () => {
    await server.stop()
    await box.remove()
  })

  /** Reads the archive past the preview host, and lists it with another program. */
  const list = async (downloadUrl: string): Promise<string[]> => {
    const url = new URL(downloadUrl)
    const port = /^box1-(\d+)\.preview\./.exec(url.host)![1]
    const response = await fetch(`http://127.0.0.1:${port}${url.pathname}`)
    expect(response.headers.get('content-type')).toBe('application/zip')
    const file = join(box.configuration.home, 'archive.zip')
    await writeFile(file, Buffer.from(await response.arrayBuffer()))
    const names =
      'import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print("\\n".join(z.namelist()))'
    const { stdout } = await promisify(execFile)('python3', ['-X', 'utf8', '-c', names, file])
    return stdout.trim().split('\n').toSorted()
  }

  it('FS19: a folder is downloaded as a zip, from a port that is nowhere told', async () => {
    const ada = await TestClient.join(box.configuration.socket, await box.token({ access: 'read' }))
    const { downloadUrl } = await ada.call('fs/download', {})
    expect(await list(downloadUrl)).toEqual(['.env', 'empty/', 'src/', 'src/ünï code.txt'])
    const all = await ada.call('fs/download', { path: 'src', excludes: ['*.txt'] })
    expect(await list(all.downloadUrl)).toEqual(['node_modules/', 'node_modules/dep/', 'node_modules/dep/index.js'])
    const port = Number(/box1-(\d+)/.exec(downloadUrl)![1])
    expect((await ada.call('port/list', {})).list.map((one) => one.port)).not.toContain(port)
    const guess = await fetch(`http://127.0.0.1:${port}/guess/workspace.zip`)
    expect([guess.status, await guess.text()]).toEqual([404, expect.stringContaining('Ask for it again')])
    await expect(ada.call('fs/download', { path: '/etc' })).rejects.toMatchObject({ code: 101 })
    await expect(ada.call('fs/download', { path: 'nowhere' })).rejects.toMatchObject({ data: { errno: 2 } })
    await expect(ada.call('fs/download', { excludes: ['*'.repeat(3) + '(a|b)'] })).rejects.toMatchObject({
      code: -32_602,
    })
  })

  it('FS19: an address is good for five minutes', async () => {
    const timers = new ManualTimers()
    const downloads = new Downloads(timers)
    const { port, path } = await downloads.offer(box.configuration.workspace)
    const status = async (): Promise<number> => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`)
      await response.arrayBuffer()
      return response.status
    }
    timers.pass(5 * 60_000 - 1)
    expect(await status()).toBe(200)
    timers.pass(1)
    expect(await status()).toBe(404)
    await downloads.dispose()
  })
})

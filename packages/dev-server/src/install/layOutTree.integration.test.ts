import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { layOutTree } from './layOutTree.ts'
import type { Lockfile } from './plainInstall.ts'

const lockfile: Lockfile = { lockfileVersion: 3, packages: { '': {}, 'node_modules/left': { version: '1.0.0' } } }

describe('a tree from the platform', () => {
  let root: string
  let project: string
  let egressSocket: string
  let platform: Server
  let answer: { status: number; body: Buffer }

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'boxyard-tree-'))
    project = join(root, 'project')
    egressSocket = join(root, 'egress.sock')
    await mkdir(project)
    platform = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(answer.status).end(answer.body))
    })
    await once(platform.listen(egressSocket), 'listening')
  })
  afterEach(async () => {
    platform.close()
    await rm(root, { recursive: true, force: true })
  })

  const treeOf = async (files: Record<string, string>): Promise<Buffer> => {
    const folder = await mkdtemp(join(root, 'content-'))
    for (const [name, content] of Object.entries(files)) {
      await mkdir(join(folder, name, '..'), { recursive: true })
      await writeFile(join(folder, name), content)
    }
    // Without the blocks of zeros at the end: so it looks when it is cut off between two files.
    const archive = execFileSync('tar', ['-c', '-b', '1', '-C', folder, '-f', '-', ...Object.keys(files)])
    return archive.subarray(0, archive.length - 1024)
  }
  const install = (): ReturnType<typeof layOutTree> => layOutTree({ project, lockfile, egressSocket })
  const whole = { 'left/index.js': 'left', '.tree-is-whole': '' }

  it('BX428: is what is in node_modules afterwards, and nothing else', async () => {
    await mkdir(join(project, 'node_modules', 'old'), { recursive: true })
    answer = { status: 200, body: Buffer.concat([await treeOf(whole), Buffer.alloc(1024)]) }
    expect(await install()).toEqual(['node_modules/left'])
    const modules = join(project, 'node_modules')
    expect((await readdir(modules)).toSorted()).toEqual(['.package-lock.json', 'left'])
    expect(await readFile(join(modules, 'left/index.js'), 'utf8')).toBe('left')
  })

  it('BX704: is taken as a whole or not at all, and node_modules is as it was then', async () => {
    const body = await treeOf({ 'left/index.js': 'left' })
    for (const cut of [body, body.subarray(0, 600), body.subarray(0, 0)]) {
      answer = { status: 200, body: cut }
      await expect(install()).rejects.toThrow(/did not arrive as a whole|could not be unpacked/)
    }
    await mkdir(join(project, 'node_modules', 'old'), { recursive: true })
    answer = { status: 200, body }
    await expect(install()).rejects.toThrow('did not arrive as a whole')
    expect(await readdir(join(project, 'node_modules'))).toEqual(['old'])
  })

  it('BX705: is npm to install where the platform has none', async () => {
    answer = { status: 404, body: Buffer.from('{}') }
    expect(await install()).toBeNull()
    expect(await readdir(project)).toEqual([])
  })
})

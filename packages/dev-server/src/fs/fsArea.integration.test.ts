import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { NotificationParams, TreeNode } from '@boxyard/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startDevServer, type DevServer } from '../devServer.ts'
import { createLog } from '../log.ts'
import { createTestBox, type TestBox } from '../testing/testBox.ts'
import { TestClient } from '../testing/testClient.ts'
import { FileTree } from './fileTree.ts'

const run = promisify(execFile)
const bytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text))

describe('fs area', () => {
  let box: TestBox
  let server: DevServer
  let ada: TestClient

  const start = (): Promise<DevServer> =>
    startDevServer(
      box.configuration,
      createLog(() => undefined),
    )
  const join_ = async (username = 'ada', access: 'read' | 'write' = 'write'): Promise<TestClient> =>
    TestClient.join(box.configuration.socket, await box.token({ username, access }))
  const at = (...names: string[]): string => join(box.configuration.workspace, ...names)

  beforeEach(async () => {
    box = await createTestBox()
    await mkdir(at('src'))
    await mkdir(at('node_modules', 'left-pad'), { recursive: true })
    await writeFile(at('src', 'a.ts'), 'export const a = 1\n')
    await writeFile(at('node_modules', 'left-pad', 'index.js'), 'module.exports = 1\n')
    server = await start()
    ada = await join_()
  })
  afterEach(async () => {
    await server.stop()
    await box.remove()
  })

  const tree = async (
    client: TestClient,
  ): Promise<{ paths: Record<string, string>; clock: number; nodes: TreeNode[] }> => {
    const { treeNodes, clock } = await client.call('fs/read', null)
    return { paths: pathsOf(treeNodes), clock, nodes: treeNodes }
  }
  const operations = (client: TestClient): Promise<NotificationParams<'fs/operations'>> => client.next('fs/operations')
  const refused = (errno: number): unknown => expect.objectContaining({ code: 102, data: { errno } })

  it('FS1: reads and writes by path, relative to the workspace or absolute, with positive errors', async () => {
    await ada.call('fs/writeFile', { path: 'new/deep.txt', content: bytes('hello'), create: true })
    expect(await readFile(at('new', 'deep.txt'), 'utf8')).toBe('hello')
    const { content } = await ada.call('fs/readFile', { path: at('new', 'deep.txt') })
    expect(Buffer.from(content).toString()).toBe('hello')
    const writes = { path: 'new/deep.txt', content: bytes('x') }
    await expect(ada.call('fs/writeFile', { ...writes, create: true })).rejects.toEqual(refused(17))
    await expect(ada.call('fs/writeFile', { ...writes, path: 'none', overwrite: true })).rejects.toEqual(refused(2))
    await expect(ada.call('fs/readFile', { path: 'nothing' })).rejects.toEqual(refused(2))
    await expect(ada.call('fs/readFile', { path: 'src' })).rejects.toEqual(refused(21))
    await expect(ada.call('fs/readdir', { path: 'src/a.ts' })).rejects.toEqual(refused(20))
    await expect(ada.call('fs/remove', { path: 'src' })).rejects.toEqual(refused(39))
    await expect(ada.call('fs/mkdir', { path: 'src' })).rejects.toEqual(refused(17))
    await expect(ada.call('fs/readFile', { path: 'a\0b' })).rejects.toMatchObject({ code: 101 })
    await expect(ada.call('fs/rename', { from: 'src', to: 'new' })).rejects.toEqual(refused(17))
  })

  it('FS2: stat, readdir, copy and symbolic links', async () => {
    await symlink('a.ts', at('src', 'link.ts'))
    await symlink('../src', at('src', 'loop'))
    const { entries } = await ada.call('fs/readdir', { path: 'src' })
    expect(entries).toEqual(
      expect.arrayContaining([
        { name: 'a.ts', type: 0, isSymlink: false },
        { name: 'link.ts', type: 0, isSymlink: true },
        { name: 'loop', type: 1, isSymlink: true },
      ]),
    )
    const info = await ada.call('fs/stat', { path: 'src/link.ts' })
    expect(info).toMatchObject({ type: 0, isSymlink: true, size: 19 })
    expect(Math.abs(info.mtime - Date.now())).toBeLessThan(600_000)
    await ada.call('fs/copy', { from: 'src', to: 'copy', recursive: true })
    expect(await readFile(at('copy', 'a.ts'), 'utf8')).toBe('export const a = 1\n')
    await expect(ada.call('fs/copy', { from: 'src', to: 'other' })).rejects.toEqual(refused(21))
  })

  it('FS3: the tree shows what closed folders and links are, not what they hold', async () => {
    await run('ln', ['-s', 'src', at('linked')])
    await operations(ada)
    const { paths, nodes } = await tree(ada)
    expect(Object.keys(paths).toSorted()).toEqual(['', 'linked', 'node_modules', 'src', 'src/a.ts'])
    expect(nodes.find(({ id }) => id === '0')).toEqual({ id: '0', type: 1 })
  })

  it('FS4: an operation takes the next clock, keeps the id of its author and is told to the others only', async () => {
    const bob = await join_('bob')
    const { paths, clock } = await tree(ada)
    const create = {
      type: 'create' as const,
      parentId: paths['src']!,
      newEntry: { id: 'made-by-ada', type: 0 as const, name: 'b.ts' },
    }
    expect(await ada.call('fs/operation', { operation: create })).toEqual({ code: 0, clock: clock + 1 })
    expect(await operations(bob)).toEqual({ operations: [{ operation: create, clock: clock + 1 }] })
    expect((await stat(at('src', 'b.ts'))).isFile()).toBe(true)
    const move = { type: 'move' as const, id: paths['src']!, name: 'lib' }
    expect(await ada.call('fs/operation', { operation: move })).toEqual({ code: 0, clock: clock + 2 })
    expect((await tree(bob)).paths).toMatchObject({ 'lib/b.ts': 'made-by-ada', 'lib/a.ts': paths['src/a.ts'] })
    expect(await ada.call('fs/operation', { operation: { type: 'delete', id: 'made-by-ada' } })).toEqual({
      code: 0,
      clock: clock + 3,
    })
    await expect(stat(at('lib', 'b.ts'))).rejects.toThrow('ENOENT')
    // The watcher sees the same changes; a file written behind them proves that it has nothing to add.
    await writeFile(at('marker'), '')
    await ada.next('fs/operations', ({ operations: [first] }) => {
      expect(first).toMatchObject({ operation: { type: 'create', newEntry: { name: 'marker' } }, clock: clock + 4 })
      return true
    })
  })

  it('FS5: what can not be done is ignored without a clock', async () => {
    const { paths, clock } = await tree(ada)
    const ignored = { code: 1 }
    const create = (parentId: string, name: string, id = 'x'): Promise<unknown> =>
      ada.call('fs/operation', { operation: { type: 'create', parentId, newEntry: { id, type: 0, name } } })
    expect(await create(paths['src']!, 'a.ts')).toEqual(ignored)
    expect(await create('unknown', 'b.ts')).toEqual(ignored)
    expect(await create(paths['src/a.ts']!, 'b.ts')).toEqual(ignored)
    expect(await create(paths['node_modules']!, 'b.ts')).toEqual(ignored)
    expect(await create('0', 'b.ts', paths['src']!)).toEqual(ignored)
    expect(await ada.call('fs/operation', { operation: { type: 'delete', id: '0' } })).toEqual(ignored)
    expect(await ada.call('fs/operation', { operation: { type: 'delete', id: 'unknown' } })).toEqual(ignored)
    const intoItself = { type: 'move' as const, id: paths['src']!, parentId: paths['src']! }
    expect(await ada.call('fs/operation', { operation: intoItself })).toEqual(ignored)
    await expect(create('0', '../escape')).rejects.toMatchObject({ code: 101 })
    expect((await tree(ada)).clock).toBe(clock)
  })

  it('FS6: raw calls, uploads and other programs change the tree for everybody, the caller included', async () => {
    const replica = new FileTree()
    const { nodes } = await tree(ada)
    for (const node of nodes) {
      if (node.parentId === undefined) continue
      replica.apply({
        type: 'create',
        parentId: node.parentId,
        newEntry: { id: node.id, type: node.type, name: node.name! },
      })
    }
    const follow = async (path: string, present: boolean): Promise<void> => {
      while ((replica.idAt(path) !== undefined) !== present) {
        for (const { operation } of (await operations(ada)).operations) replica.apply(operation)
      }
    }
    await ada.call('fs/mkdir', { path: 'a/b/c', recursive: true })
    await follow('a/b/c', true)
    await ada.call('fs/rename', { from: 'a/b', to: 'moved' })
    await follow('moved/c', true)
    const { fileId } = await ada.call('fs/upload', { parentId: '0', filename: 'up.bin', content: bytes('up') })
    await follow('up.bin', true)
    expect(replica.idAt('up.bin')).toBe(fileId)
    await run('sh', ['-c', 'mkdir -p git/objects && echo 1 > git/objects/x && mv git repo'], {
      cwd: box.configuration.workspace,
    })
    await follow('repo/objects/x', true)
    await rm(at('repo'), { recursive: true })
    await follow('repo', false)
    const { paths } = await tree(ada)
    expect(Object.fromEntries(replica.subtree('0').map(({ id, path }) => [path, id]))).toEqual(paths)
  })

  it('FS7: ids survive a restart, also those that clients made', async () => {
    const { paths } = await tree(ada)
    await ada.call('fs/operation', {
      operation: { type: 'create', parentId: '0', newEntry: { id: 'mine', type: 1, name: 'mine' } },
    })
    await ada.call('fs/operation', { operation: { type: 'move', id: paths['src']!, parentId: 'mine' } })
    const before = await tree(ada)
    await server.stop()
    server = await start()
    const after = await tree(await join_())
    expect(after.paths).toEqual(before.paths)
    expect(after.clock).toBeGreaterThan(before.clock)
  })

  it('FS8: a watch tells what happened below its folder, a plain watch only in it', async () => {
    await mkdir(at('src', 'skip'))
    const deep = await ada.call('fs/watch', { path: 'src', recursive: true, excludes: ['**/skip/**'] })
    const flat = await ada.call('fs/watch', { path: '.' })
    await writeFile(at('src', 'skip', 'unseen.ts'), '')
    await writeFile(at('src', 'seen.ts'), '')
    await writeFile(at('top.ts'), '')
    const added = (path: string, watchId: string): Promise<unknown> =>
      ada.next('fs/watchEvent', (event) => {
        if (event.watchId !== watchId) return false
        const paths = event.events.flatMap((one) => (one.type === 'add' ? one.paths : []))
        expect(paths).not.toContain(at('src', 'skip', 'unseen.ts'))
        return paths.includes(path)
      })
    await added(at('src', 'seen.ts'), deep.watchId)
    await added(at('top.ts'), flat.watchId)
    await ada.call('fs/unwatch', deep)
    await expect(ada.call('fs/unwatch', deep)).rejects.toMatchObject({ code: 100 })
    // Globs that could keep the watcher's thread busy for good.
    for (const glob of ['(a*)*b', '+(a+)+', '**/*'.repeat(9), '{1..99999}', '(?<=a)']) {
      const watch = ada.call('fs/watch', { path: 'src', recursive: true, excludes: [glob] })
      await expect(watch).rejects.toMatchObject({ code: -32_602 })
    }
    await ada.call('fs/watch', {
      path: 'src',
      recursive: true,
      excludes: ['**/.git/objects/**', '**/*.{js,map}', '/tmp/x'],
    })
  })

  it('FS9: searches texts like ripgrep and paths in the tree', async () => {
    await writeFile(at('.gitignore'), 'dist\n')
    await mkdir(at('dist'))
    await run('git', ['init', '-q'], { cwd: box.configuration.workspace })
    await writeFile(at('dist', 'out.ts'), 'needle')
    await writeFile(at('src', 'ünï.ts'), 'x\n  ü needle needle\n')
    await ada.next('fs/operations', ({ operations: all }) =>
      all.some(({ operation }) => operation.type === 'create' && operation.newEntry.name === 'ünï.ts'),
    )
    const found = await ada.call('fs/search', { text: 'needle' })
    expect(found).toEqual([
      {
        fileId: (await tree(ada)).paths['src/ünï.ts'],
        lines: { text: '  ü needle needle\n' },
        lineNumber: 2,
        absoluteOffset: 2,
        submatches: [
          { match: { text: 'needle' }, start: 5, end: 11 },
          { match: { text: 'needle' }, start: 12, end: 18 },
        ],
      },
    ])
    await expect(ada.call('fs/search', { text: '(', isRegex: true })).rejects.toMatchObject({ code: -32_602 })
    expect(await ada.call('fs/search', { text: 'NEEDLE', caseSensitivity: 'enabled' })).toEqual([])
    await ada.call('fs/streamingSearch', { searchId: 's1', text: 'needle', maxResults: 1 })
    const { matches } = await ada.next('fs/searchMatches')
    expect(matches).toMatchObject([{ filepath: 'src/ünï.ts', lineNumber: 2 }])
    expect(await ada.next('fs/searchFinished')).toEqual({ searchId: 's1', hitLimit: false })
    expect((await ada.call('fs/pathSearch', { text: 'ünï' })).matches).toEqual([
      { path: 'src/ünï.ts', submatches: [{ match: { text: 'ünï' }, start: 4, end: 9 }] },
    ])
  })

  it('FS532: a search that is cancelled tells no more matches, and that it is over', async () => {
    await writeFile(at('many.txt'), 'needle\n'.repeat(1000))
    const search = { searchId: 'cancelled', text: 'needle' }
    const [started, cancelled] = await Promise.all([
      ada.call('fs/streamingSearch', search),
      ada.call('fs/cancelStreamingSearch', { searchId: 'cancelled' }),
    ])
    expect([started, cancelled]).toEqual([{ searchId: 'cancelled' }, { searchId: 'cancelled' }])
    expect(await ada.next('fs/searchFinished')).toEqual({ searchId: 'cancelled', hitLimit: false })
    expect(ada.received.filter(({ method }) => method === 'fs/searchMatches')).toEqual([])
    expect(await ada.call('fs/cancelStreamingSearch', { searchId: 'unknown' })).toEqual({ searchId: 'unknown' })
    await ada.call('fs/streamingSearch', { ...search, searchId: 'whole' })
    expect((await ada.next('fs/searchMatches')).searchId).toBe('whole')
    await ada.next('fs/searchFinished')
  })

  it('FS10: a reader can look but not change', async () => {
    const eve = await join_('eve', 'read')
    await eve.call('fs/readFile', { path: 'src/a.ts' })
    await expect(eve.call('fs/writeFile', { path: 'x', content: bytes(''), create: true })).rejects.toMatchObject({
      code: 2,
    })
    await expect(eve.call('fs/operation', { operation: { type: 'delete', id: 'x' } })).rejects.toMatchObject({
      code: 2,
    })
    await expect(eve.call('fs/upload', { parentId: '0', filename: 'x', content: bytes('') })).rejects.toMatchObject({
      code: 2,
    })
  })
})

function pathsOf(nodes: readonly TreeNode[]): Record<string, string> {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const pathOf = (node: TreeNode): string => {
    const parent = node.parentId === undefined ? undefined : byId.get(node.parentId)
    if (!parent) return ''
    const above = pathOf(parent)
    return above === '' ? (node.name ?? '') : `${above}/${node.name}`
  }
  return Object.fromEntries(nodes.map((node) => [pathOf(node), node.id]))
}

import { Emitter, type WatchEvent } from '@boxyard/dev-server-client'
import { expect, it, vi } from 'vitest'
import type { BoxFiles } from './fileSystem.ts'
import { filesAhead } from './filesAhead.ts'

const text = 'hello\n'
const content = new TextEncoder().encode(text)
const workspacePath = '/project/workspace'
const known = { path: `${workspacePath}/a.ts`, text }
const settings = `${workspacePath}/.vscode/settings.json`

function box() {
  const joins = new Emitter<never>()
  const connection = { joined: undefined as object | undefined, onDidJoin: joins.event }
  const stat = vi.fn(async () => ({ type: 0, isSymlink: false, size: 1, mtime: 7, ctime: 7, atime: 7 }))
  const readFile = vi.fn(async () => new Uint8Array([1]))
  const watch = vi.fn(async () => ({ dispose: () => {} }))
  const files = filesAhead({ stat, readFile, watch } as unknown as BoxFiles, connection as never, {
    workspacePath,
    known,
  })
  const join = () => {
    connection.joined = {}
    joins.fire(undefined as never)
  }
  return { files, join, stat, readFile }
}

it('WB1070: before there is a box to ask there is the text that the page has, and no settings of the workspace', async () => {
  const { files, stat, readFile } = box()
  expect(await files.readFile(known.path)).toEqual(content)
  expect(await files.stat(known.path)).toMatchObject({ type: 0, size: content.length })
  await expect(files.readFile(settings)).rejects.toMatchObject({ codeName: 'RAWFS_ERROR', data: { errno: 2 } })
  await expect(files.stat(settings)).rejects.toMatchObject({ codeName: 'RAWFS_ERROR', data: { errno: 2 } })
  expect(stat).not.toHaveBeenCalled()
  expect(readFile).not.toHaveBeenCalled()
  await files.readFile(`${workspacePath}/b.ts`)
  expect(readFile.mock.calls).toEqual([[`${workspacePath}/b.ts`]])
})

it('WB1070: with the box everything is read from it, and what was missing before is told of', async () => {
  const { files, join, stat, readFile } = box()
  const told: WatchEvent[] = []
  await files.watch(workspacePath, {}, (events) => told.push(...events))
  await files.stat(settings).catch(() => undefined)
  join()
  expect(told).toEqual([{ type: 'add', paths: [settings] }])
  join()
  expect(told).toHaveLength(1)
  expect(await files.readFile(known.path)).toEqual(new Uint8Array([1]))
  await files.readFile(settings)
  expect(await files.stat(known.path)).toMatchObject({ mtime: 7 })
  expect(stat).toHaveBeenCalledTimes(1)
  expect(readFile).toHaveBeenCalledTimes(2)
})

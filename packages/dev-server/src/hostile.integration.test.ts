import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  methods,
  permissionsFor,
  protocolErrors,
  ROOT_ID,
  type MethodName,
  type PermissionFlag,
} from '@boxyard/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { startDevServer, type DevServer } from './devServer.ts'
import { createLog } from './log.ts'
import { createTestBox, type TestBox } from './testing/testBox.ts'
import { TestClient } from './testing/testClient.ts'

const names = Object.keys(methods) as MethodName[]
const { NO_ACCESS, INVALID_PATH, INVALID_ID, INVALID_PARAMS, FEATURE_UNAVAILABLE } = protocolErrors

/** `client/join` on a socket that has joined is refused before anything is looked at, and so is what this box does not offer. */
const badCodes: ReadonlySet<number> = new Set([
  INVALID_PARAMS.code,
  INVALID_PATH.code,
  INVALID_ID.code,
  NO_ACCESS.code,
  FEATURE_UNAVAILABLE.code,
])

describe('hostile clients', () => {
  let box: TestBox
  let server: DevServer
  let writer: TestClient
  let reader: TestClient
  const crashes: string[] = []
  let nextId = 10_000

  beforeAll(async () => {
    box = await createTestBox()
    const { workspace, home } = box.configuration
    await writeFile(join(workspace, 'kept.txt'), 'kept')
    await writeFile(join(home, 'secret.txt'), 'secret')
    await symlink(join(home, 'secret.txt'), join(workspace, 'link.txt'))
    await symlink(home, join(workspace, 'folder'))
    await symlink('loop', join(workspace, 'loop'))
    server = await startDevServer(
      box.configuration,
      createLog((line) => crashes.push(line)),
    )
    const { socket } = box.configuration
    writer = await TestClient.join(socket, await box.token())
    reader = await TestClient.join(socket, await box.token({ username: 'bob', access: 'read' }))
  })
  afterAll(async () => {
    expect(crashes.filter((line) => line.includes('"A request failed"'))).toEqual([])
    await server.stop()
    await box.remove()
  })

  const raw = (client: TestClient, method: MethodName, params: unknown): Promise<unknown> => {
    nextId += 1
    return client.raw({ id: nextId, method, params })
  }
  const mayRead = (flag: PermissionFlag | null): boolean => {
    if (flag === null) return true
    const [group = '', key = ''] = flag.split('.')
    const permissions: Record<string, Record<string, boolean> | undefined> = permissionsFor('read')
    return permissions[group]?.[key] === true
  }

  const refusedToReaders = names.filter((name) => !mayRead(methods[name].permission))
  it.each(refusedToReaders)('DS21: %s is refused to who may only read', async (name) => {
    for (const params of [null, {}, { path: 'kept.txt', id: ROOT_ID, from: 'kept.txt', to: 'x' }, 'text']) {
      await expect(raw(reader, name, params)).rejects.toMatchObject({ code: NO_ACCESS.code })
    }
    expect(await readFile(join(box.configuration.workspace, 'kept.txt'), 'utf8')).toBe('kept')
  })

  /** Without a permission a method changes nothing but what it says to others about its own client. */
  it('DS500: every method that needs no permission is one of those that only look or talk', () => {
    expect(names.filter((name) => methods[name].permission === null).toSorted()).toEqual([
      'channel/message',
      'channel/subscribe',
      'channel/unsubscribe',
      'client/join',
      'client/list',
      'notification/notifyResponse',
      'port/list',
    ])
  })

  it.each(names)('DS22: %s refuses parameters of any wrong shape', async (name) => {
    const schema: z.ZodType = methods[name].params
    for (const params of wrongParams(schema)) {
      await expect(raw(writer, name, params), JSON.stringify(params)).rejects.toSatisfy((error: { code: number }) =>
        badCodes.has(error.code),
      )
    }
    expect(await raw(writer, 'client/list', {})).toHaveLength(2)
  })

  it('DS23: names that are paths are refused, odd ones are names like any other', async () => {
    const content = Buffer.from('x')
    for (const name of ['..', '.', '', 'a/b', '../x', '/etc/x', 'a\0b', '..\u002Fx', 'x'.repeat(256)]) {
      const upload = raw(writer, 'fs/upload', { parentId: ROOT_ID, filename: name, content })
      await expect(upload).rejects.toMatchObject({ code: INVALID_PATH.code })
      const newEntry = { id: `new ${name.length}`, type: 0, name }
      const create = raw(writer, 'fs/operation', { operation: { type: 'create', parentId: ROOT_ID, newEntry } })
      await expect(create).rejects.toMatchObject({ code: INVALID_PATH.code })
    }
    for (const name of ['..\u2215x', '\u202Etxt.exe', '..%2fx', '\uFF0E\uFF0E', 'C:\\x', '~']) {
      await raw(writer, 'fs/upload', { parentId: ROOT_ID, filename: name, content })
      expect(await readdir(box.configuration.workspace)).toContain(name)
    }
    await expect(raw(writer, 'fs/upload', { parentId: 'unknown', filename: 'x', content })).rejects.toMatchObject({
      code: INVALID_ID.code,
    })
  })

  it('FS18: a reader stays in the workspace, whatever leads out of it', async () => {
    // Git takes paths of commits, which lead nowhere else.
    const pathTakers = names.filter(
      (name) =>
        mayRead(methods[name].permission) && !name.startsWith('git/') && keysOf(methods[name].params).includes('path'),
    )
    expect(pathTakers).toEqual(expect.arrayContaining(['fs/readFile', 'fs/watch', 'fs/download', 'file/openByPath']))
    const { workspace, home } = box.configuration
    await mkdir(join(workspace, 'inside'), { recursive: true })
    const outside = [
      '../home/secret.txt',
      join(home, 'secret.txt'),
      'inside/../../home/secret.txt',
      'link.txt',
      'folder/secret.txt',
      'folder/not-there',
      'loop',
      '/proc/self/environ',
      '/etc/passwd',
      `${workspace}-beside`,
    ]
    for (const path of outside) {
      for (const method of pathTakers) {
        await expect(raw(reader, method, { path }), `${method} ${path}`).rejects.toMatchObject({
          code: INVALID_PATH.code,
        })
      }
    }
    await expect(raw(reader, 'file/open', { id: `path:${join(home, 'secret.txt')}` })).rejects.toMatchObject({
      code: INVALID_PATH.code,
    })
    const { treeNodes } = await reader.call('fs/read', null)
    const { id } = treeNodes.find(({ name }) => name === 'link.txt')!
    await expect(raw(reader, 'file/open', { id })).rejects.toMatchObject({ code: INVALID_PATH.code })
    expect(await reader.call('fs/readFile', { path: 'inside/../kept.txt' })).toMatchObject({
      content: Buffer.from('kept'),
    })
    await expect(reader.call('fs/readFile', { path: 'not-there' })).rejects.toMatchObject({ data: { errno: 2 } })
    expect(await writer.call('fs/readFile', { path: 'link.txt' })).toMatchObject({ content: Buffer.from('secret') })
  })
})

/** Values of every kind, alone and in the place of each parameter, as far as the schema does not take them. */
function wrongParams(schema: z.ZodType): unknown[] {
  const values: unknown[] = [
    7,
    -1,
    1.5,
    'text',
    '',
    true,
    [],
    [null],
    [{}],
    {},
    { x: { y: 1 } },
    Buffer.from('bin'),
    '\0',
    'x'.repeat(10_001),
  ]
  const candidates = [...values]
  const known = keysOf(schema)
  for (const key of known) {
    for (const value of values)
      candidates.push({ [key]: value }, { ...Object.fromEntries(known.map((one) => [one, 'a'])), [key]: value })
  }
  return candidates.filter((value) => !schema.safeParse(value).success)
}

function keysOf(schema: z.ZodType): string[] {
  if ('shape' in schema) return Object.keys(schema.shape as object)
  if ('unwrap' in schema) return keysOf((schema as { unwrap(): z.ZodType }).unwrap())
  return []
}

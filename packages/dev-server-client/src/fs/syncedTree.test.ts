import { ProtocolError } from '@boxyard/protocol'
import type { TreeOperation } from '@boxyard/protocol'
import { describe, expect, it } from 'vitest'
import type { DevServerClient, TreeChange, WatchEvent } from '../index.ts'
import { settled } from '../testing/fakeClock.ts'
import { FakeServer, HOLD } from '../testing/fakeServer.ts'

const create = (id: string, name: string, parentId = '0', type: 0 | 1 = 0): TreeOperation => ({
  type: 'create',
  parentId,
  newEntry: { id, type, name },
})

async function serverWithTree() {
  const server = new FakeServer()
  server.answers['fs/read'] = () => ({
    treeNodes: [
      { id: 'a', type: 0, name: 'a.ts', parentId: 'src' },
      { id: '0', type: 1, name: null, parentId: null },
      { id: 'src', type: 1, name: 'src', parentId: '0' },
    ],
    clock: 5,
  })
  const client = await server.connectedClient()
  await client.fs.tree.ready
  return { server, client }
}

function changesOf({ fs }: DevServerClient): TreeChange[] {
  const changes: TreeChange[] = []
  fs.tree.onDidChange((more) => changes.push(...more))
  return changes
}

const names = ({ fs }: DevServerClient, id = '0') =>
  fs.tree
    .children(id)
    .map(({ name }) => name)
    .toSorted()

describe('the synchronised tree', () => {
  it('DC37: takes paths relative to the workspace and absolute ones inside it', async () => {
    const { client } = await serverWithTree()
    const { tree } = client.fs
    expect(tree.idOf('src/a.ts')).toBe('a')
    expect(tree.idOf('./src//a.ts')).toBe('a')
    expect(tree.idOf('/project/workspace/src/../src/a.ts')).toBe('a')
    expect(tree.idOf('')).toBe('0')
    expect(tree.idOf('/project/workspace')).toBe('0')
    expect(tree.idOf('/etc/passwd')).toBeUndefined()
    expect(tree.idOf('../workspace2')).toBeUndefined()
    expect(tree.pathOf('a')).toBe('src/a.ts')
    expect(tree.pathOf('0')).toBe('')
    expect(tree.clock).toBe(5)
  })

  it('DC30: applies remote operations in the order of their clock', async () => {
    const { server, client } = await serverWithTree()
    const changes = changesOf(client)
    const notify = (clock: number, operation: TreeOperation) =>
      server.socket.notify('fs/operations', { operations: [{ operation, clock }] })
    notify(8, { type: 'move', id: 'b', parentId: 'src' })
    notify(7, create('b', 'b.ts'))
    expect(changes).toEqual([])
    notify(6, create('lib', 'lib', '0', 1))
    expect(client.fs.tree.clock).toBe(8)
    expect(client.fs.tree.pathOf('b')).toBe('src/b.ts')
    expect(changes.map(({ type }) => type)).toEqual(['create', 'create', 'move'])
    notify(6, { type: 'delete', id: 'lib' })
    expect(client.fs.tree.pathOf('lib')).toBe('lib')
    notify(9, { type: 'delete', id: 'src' })
    expect(client.fs.tree.get('a')).toBeUndefined()
    expect(client.fs.tree.get('b')).toBeUndefined()
    expect(changes.at(-1)).toEqual({ type: 'delete', id: 'src', nodeType: 1, path: 'src' })
  })

  it('DC31: shows an own operation at once and keeps it in place around remote ones', async () => {
    const { server, client } = await serverWithTree()
    const changes = changesOf(client)
    server.answers['fs/operation'] = () => HOLD
    const done = client.fs.tree.operation(create('new', 'new.ts'))
    expect(client.fs.tree.pathOf('new')).toBe('new.ts')
    expect(changes).toEqual([{ type: 'create', id: 'new', nodeType: 0, path: 'new.ts' }])
    await settled()
    server.socket.notify('fs/operations', { operations: [{ operation: create('x', 'x.ts'), clock: 6 }] })
    expect(names(client)).toEqual(['new.ts', 'src', 'x.ts'])
    // The answer comes before the operation with the clock between: it waits for it and stays visible.
    server.socket.respond(server.last('fs/operation'), { code: 0, clock: 8 })
    expect(client.fs.tree.clock).toBe(6)
    expect(names(client)).toEqual(['new.ts', 'src', 'x.ts'])
    server.socket.notify('fs/operations', { operations: [{ operation: { type: 'delete', id: 'x' }, clock: 7 }] })
    expect(client.fs.tree.clock).toBe(8)
    expect(names(client)).toEqual(['new.ts', 'src'])
    expect(await done).toBe(true)
    expect(changes.map(({ type }) => type)).toEqual(['create', 'create', 'delete'])
  })

  it('DC32: rolls back what is ignored or refused', async () => {
    const { server, client } = await serverWithTree()
    const changes = changesOf(client)
    server.answers['fs/operation'] = () => ({ code: 1 })
    expect(await client.fs.tree.operation({ type: 'move', id: 'a', name: 'c.ts' })).toBe(false)
    expect(client.fs.tree.pathOf('a')).toBe('src/a.ts')
    server.answers['fs/operation'] = () => {
      throw new ProtocolError('NO_ACCESS')
    }
    await expect(client.fs.tree.operation({ type: 'delete', id: 'src' })).rejects.toThrow('You do not have access')
    expect(client.fs.tree.pathOf('a')).toBe('src/a.ts')
    expect(changes).toEqual([
      { type: 'move', id: 'a', nodeType: 0, from: 'src/a.ts', to: 'src/c.ts' },
      { type: 'move', id: 'a', nodeType: 0, from: 'src/c.ts', to: 'src/a.ts' },
      { type: 'delete', id: 'src', nodeType: 1, path: 'src' },
      { type: 'reset' },
    ])
  })

  it('DC33: sends own operations one at a time', async () => {
    const { server, client } = await serverWithTree()
    server.answers['fs/operation'] = () => HOLD
    const both = [
      client.fs.tree.operation(create('d', 'd', '0', 1)),
      client.fs.tree.operation(create('e', 'e.ts', 'd')),
    ]
    await settled()
    expect(server.sent('fs/operation')).toHaveLength(1)
    server.socket.respond(server.last('fs/operation'), { code: 0, clock: 6 })
    await settled()
    expect(server.sent('fs/operation')).toHaveLength(2)
    server.socket.respond(server.last('fs/operation'), { code: 0, clock: 7 })
    expect(await Promise.all(both)).toEqual([true, true])
    expect(client.fs.tree.pathOf('e')).toBe('d/e.ts')
  })

  it('DC34: reads the tree again after a reconnect', async () => {
    const { server, client } = await serverWithTree()
    await server.clock.advance(1_000)
    server.isFocused = false
    server.socket.end(1006)
    server.answers['fs/operation'] = () => HOLD
    const done = client.fs.tree.operation(create('mine', 'mine.ts'))
    server.answers['fs/read'] = () => ({ treeNodes: [{ id: 'z', type: 0, name: 'z.ts', parentId: '0' }], clock: 40 })
    server.focus.fire()
    await settled()
    expect(names(client)).toEqual(['mine.ts', 'z.ts'])
    // Accepted before the tree was read, answered after it.
    server.socket.respond(server.last('fs/operation'), { code: 0, clock: 41 })
    expect(await done).toBe(true)
    expect(client.fs.tree.clock).toBe(41)
    expect(names(client)).toEqual(['mine.ts', 'z.ts'])
  })

  it('DC35: refuses what can not fit before sending it', async () => {
    const { server, client } = await serverWithTree()
    await expect(client.fs.tree.operation(create('n', 'src'))).rejects.toThrow('An entry named src exists')
    await expect(client.fs.tree.operation(create('n', 'n', 'gone'))).rejects.toThrow('has no entry gone')
    await expect(client.fs.tree.operation({ type: 'delete', id: 'gone' })).rejects.toThrow('has no entry gone')
    await expect(client.fs.tree.operation({ type: 'move', id: 'a', parentId: '0', name: 'src' })).rejects.toThrow(
      'exists',
    )
    expect(server.sent('fs/operation')).toEqual([])
  })
})

describe('watches', () => {
  it('DC36: are established again after a reconnect', async () => {
    const { server, client } = await serverWithTree()
    await server.clock.advance(1_000)
    let count = 0
    server.answers['fs/watch'] = () => ({ watchId: `w${++count}` })
    server.answers['fs/unwatch'] = () => ({})
    const events: WatchEvent[] = []
    const watch = await client.fs.watch('src', { recursive: true, excludes: ['dist'] }, (more) => events.push(...more))
    const event = { type: 'add', paths: ['/project/workspace/src/b.ts'] }
    server.socket.notify('fs/watchEvent', { watchId: 'w1', events: [event] })
    server.socket.end(1006)
    await settled()
    expect(server.last('fs/watch').params).toEqual({ path: 'src', recursive: true, excludes: ['dist'] })
    server.socket.notify('fs/watchEvent', { watchId: 'w1', events: [event] })
    server.socket.notify('fs/watchEvent', { watchId: 'w2', events: [event] })
    expect(events).toEqual([event, { type: 'resync', paths: ['src'] }, event])
    watch.dispose()
    server.socket.notify('fs/watchEvent', { watchId: 'w2', events: [event] })
    expect(events).toHaveLength(3)
    await settled()
    expect(server.last('fs/unwatch').params).toEqual({ watchId: 'w2' })
  })
})

import type { DevServerClient, TextFile } from '@boxyard/dev-server-client'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { MemoryRoom } from '../testing/memoryRoom.ts'
import { MemoryStorage, MemoryTexts } from '../testing/memoryStorage.ts'
import { startSandbox } from '../testing/startSandbox.ts'
import { Room } from './room.ts'
import type { SandboxPlace } from './sandboxServer.ts'
import { SandboxTree } from './tree.ts'

const files = {
  'package.json': '{"scripts":{"dev":"vite","preview":"vite preview","test":"vitest"},"dependencies":{}}',
  'index.html': '<div id="root"></div>',
  'src/App.tsx': 'export const App = 1\n',
  'src/deep/util.ts': 'export const util = 2\n',
  '.codesandbox/tasks.json': '{}',
  'eslint.config.js': '',
}
const ada = { username: 'ada', name: 'Ada', avatarUrl: null }
const grace = { username: 'grace', name: 'Grace', avatarUrl: null }
const clients: DevServerClient[] = []
afterEach(() => {
  for (const client of clients.splice(0)) client.dispose()
})

async function start(
  options: {
    access?: 'read' | 'write'
    person?: typeof ada | null
    storage?: MemoryStorage
    unsent?: MemoryTexts
    room?: MemoryRoom
    fork?: () => Promise<SandboxPlace>
    timers?: Pick<typeof globalThis, 'setTimeout' | 'clearTimeout'>
  } = {},
) {
  const {
    person = ada,
    storage = new MemoryStorage(files),
    room: meeting = new MemoryRoom(storage),
    ...given
  } = options
  const onConverted = vi.fn()
  const onAway = vi.fn<(isAway: boolean) => void>()
  const page = await startSandbox({
    ...given,
    storage,
    meeting,
    username: person?.username ?? null,
    person,
    latestVersion: async () => '1.2.3',
    onConverted,
    onAway,
  })
  const connect = async () => {
    const client = await page.connect()
    clients.push(client)
    return client
  }
  const { server, unsent, link, shown } = page
  return { server, storage, unsent, room: meeting, link, shown, onConverted, onAway, connect, client: await connect() }
}
const text = (content: Uint8Array) => new TextDecoder().decode(content)
const bytes = (content: string) => new TextEncoder().encode(content)
const openText = async (client: DevServerClient, path: string) => (await client.files.open(path)) as TextFile
const append = (file: TextFile, added: string) => file.edit(file.text === '' ? [added] : [file.text.length, added])

describe('the back end of a sandbox without a machine', () => {
  it('BB1: is connected at once, with every area ready, and the preview as its open port', async () => {
    const { client } = await start()
    expect(client.connection.state.kind).toBe('CONNECTED')
    expect(client.ports.all).toEqual([{ port: 8080, url: 'abc-8080.preview.test' }])
    expect(client.tasks.all.map(({ id, preview }) => [id, preview?.port])).toEqual([
      ['browser:preview', 8080],
      ['preview', undefined],
      ['test', undefined],
    ])
  })

  it('BB2: shows the tree under /nodebox without what is hidden', async () => {
    const { client } = await start()
    const names = (await client.fs.readdir('/nodebox')).map(({ name }) => name)
    expect(names.toSorted()).toEqual(['index.html', 'package.json', 'src'])
    expect(client.fs.tree.idOf('.codesandbox')).toBeUndefined()
    expect(text(await client.fs.readFile('/nodebox/src/App.tsx'))).toBe('export const App = 1\n')
  })

  it('BB3: stores every change of a file before it answers', async () => {
    const { client, storage, shown } = await start()
    await client.fs.writeFile('/nodebox/src/new.ts', bytes('1'), { create: true, overwrite: false })
    expect(storage.codeOf('new.ts')).toBe('1')
    await client.fs.writeFile('/nodebox/src/new.ts', bytes('2'), { create: true, overwrite: true })
    expect(storage.codeOf('new.ts')).toBe('2')
    await client.fs.rename('/nodebox/src/new.ts', '/nodebox/moved.ts')
    expect(storage.codeOf('moved.ts')).toBe('2')
    await client.fs.mkdir('/nodebox/a/b', { recursive: true })
    await client.fs.copy('/nodebox/src', '/nodebox/a/b/src', { recursive: true })
    expect(text(await client.fs.readFile('/nodebox/a/b/src/deep/util.ts'))).toBe('export const util = 2\n')
    await client.fs.remove('/nodebox/a', { recursive: true })
    expect([...storage.directories.values()].map(({ title }) => title)).toEqual(['src', 'deep', '.codesandbox'])
    expect([shown.get('/moved.ts'), shown.get('/src/new.ts'), shown.get('/a/b/src/App.tsx')]).toEqual(['2', null, null])
  })

  it.each([
    ['File not found', 2, (client: DevServerClient) => client.fs.readFile('/nodebox/none')],
    ['File not found', 2, (client: DevServerClient) => client.fs.readFile('/etc/passwd')],
    ['Directory not found', 2, (client: DevServerClient) => client.fs.readdir('/nodebox/none')],
    ['Is not a directory', 20, (client: DevServerClient) => client.fs.readdir('/nodebox/index.html')],
    [
      'File already exists',
      17,
      (client: DevServerClient) =>
        client.fs.writeFile('/nodebox/index.html', bytes(''), { create: true, overwrite: false }),
    ],
    ['Directory not empty', 17, (client: DevServerClient) => client.fs.remove('/nodebox/src')],
    ['Directory already exists', 17, (client: DevServerClient) => client.fs.mkdir('/nodebox/src')],
    ['Parent directory not found', 2, (client: DevServerClient) => client.fs.mkdir('/nodebox/x/y')],
    ['already exists but is not a directory', 17, (client: DevServerClient) => client.fs.mkdir('/nodebox/index.html')],
    [
      '/nodebox/index.html is not a directory',
      20,
      (client: DevServerClient) => client.fs.mkdir('/nodebox/index.html/x'),
    ],
    [
      '/nodebox/index.html is not a directory',
      20,
      (client: DevServerClient) => client.fs.mkdir('/nodebox/index.html/x/y', { recursive: true }),
    ],
    [
      '/nodebox/index.html is not a directory',
      20,
      (client: DevServerClient) => client.fs.rename('/nodebox/package.json', '/nodebox/index.html/x'),
    ],
    [
      '/nodebox/index.html is not a directory',
      20,
      (client: DevServerClient) =>
        client.fs.writeFile('/nodebox/index.html/x', bytes(''), { create: true, overwrite: false }),
    ],
    ['root directory', 1, (client: DevServerClient) => client.fs.remove('/nodebox', { recursive: true })],
    ['root directory', 1, (client: DevServerClient) => client.fs.rename('/nodebox', '/nodebox/x')],
  ])('BB4: says %j with number %d', async (message, errno, run) => {
    const { client } = await start()
    await expect(run(client)).rejects.toMatchObject({ message: expect.stringContaining(message), data: { errno } })
  })

  it('BB1020: operations on the tree say what they lack', async () => {
    const { client } = await start()
    const { tree } = client.fs
    const [index, src] = [tree.idOf('index.html')!, tree.idOf('src')!]
    const entry = (type: 0 | 1, name: string) => ({ id: crypto.randomUUID(), type, name })
    const refusals: [object, object][] = [
      [{ type: 'create', parentId: src, newEntry: entry(0, '') }, { message: 'File name is undefined' }],
      [{ type: 'create', parentId: src, newEntry: entry(1, '') }, { message: 'Directory name is undefined' }],
      [
        { type: 'create', parentId: index, newEntry: entry(0, 'x') },
        { message: '/nodebox/index.html is not a directory', data: { errno: 20 } },
      ],
      [
        { type: 'create', parentId: 'none', newEntry: entry(0, 'x') },
        { message: 'Parent directory not found', data: { errno: 2 } },
      ],
      [
        { type: 'create', parentId: src, newEntry: entry(0, 'App.tsx') },
        { message: 'File already exists', data: { errno: 17 } },
      ],
      [{ type: 'move', id: src }, { message: 'Move needs a parent id' }],
      [
        { type: 'move', id: src, parentId: index },
        { message: '/nodebox/index.html is not a directory', data: { errno: 20 } },
      ],
      [{ type: 'move', id: '0', name: 'x' }, { message: expect.stringContaining('root directory') }],
    ]
    for (const [operation, refusal] of refusals)
      await expect(
        client.connection.request('fs/operation', { operation: operation as never }),
        JSON.stringify(operation),
      ).rejects.toMatchObject(refusal)
  })

  it('BB1021: a name that somebody else has taken meanwhile is told as taken, any other failure as what went wrong', async () => {
    const { client, storage } = await start()
    const once = { create: true, overwrite: false }
    await storage.createModule({ title: 'theirs.ts', directoryShortid: null, code: '', isBinary: false })
    await storage.createDirectory({ title: 'theirs', directoryShortid: null })
    const fileExists = { message: 'File already exists', data: { errno: 17 } }
    const directoryExists = { message: 'Directory already exists', data: { errno: 17 } }
    await expect(client.fs.writeFile('/nodebox/theirs.ts', bytes(''), once)).rejects.toMatchObject(fileExists)
    await expect(client.fs.rename('/nodebox/index.html', '/nodebox/theirs.ts')).rejects.toMatchObject(fileExists)
    await expect(client.fs.mkdir('/nodebox/theirs')).rejects.toMatchObject(directoryExists)
    await expect(client.fs.rename('/nodebox/src', '/nodebox/theirs')).rejects.toMatchObject(directoryExists)
    expect(client.fs.tree.idOf('index.html')).toBeDefined()
    storage.isAway = true
    await expect(client.fs.writeFile('/nodebox/new.ts', bytes(''), once)).rejects.toMatchObject({
      message: 'Something went wrong when creating a new file',
      data: { errno: null, reason: 'The server does not answer' },
    })
  })

  it('BB5: nothing happens when it could not be stored, and the client takes it back', async () => {
    const { client, storage } = await start()
    storage.isAway = true
    const id = crypto.randomUUID()
    const parentId = client.fs.tree.idOf('src')!
    const operation = client.fs.tree.operation({ type: 'create', parentId, newEntry: { id, type: 0, name: 'x.ts' } })
    expect(client.fs.tree.get(id)).toBeDefined()
    await expect(operation).rejects.toMatchObject({
      message: 'Something went wrong when creating a new file',
      data: { errno: null, reason: 'The server does not answer' },
    })
    expect(client.fs.tree.get(id)).toBeUndefined()
    storage.isAway = false
    await expect(client.fs.readFile('/nodebox/src/x.ts')).rejects.toThrow('File not found')
  })

  it('BB900: shows what is saved before it is stored', async () => {
    // The preview never follows by itself.
    const timers = { setTimeout: (() => 0) as never, clearTimeout: () => undefined }
    const { client, storage, shown, room } = await start({ timers })
    const file = await openText(client, '/nodebox/src/App.tsx')
    append(file, '// typed')
    await vi.waitUntil(() => file.pendingOperations === 0)
    expect(shown.get('/src/App.tsx')).toBe('export const App = 1\n')
    room.goAway()
    file.save().catch(() => undefined)
    await vi.waitUntil(() => shown.get('/src/App.tsx') === 'export const App = 1\n// typed')
    expect(storage.codeOf('App.tsx')).toBe('export const App = 1\n')
  })

  it('BB1090: shows a text when it is saved alone where that is chosen, and what waited when it is no more', async () => {
    // What is given a time to follow in follows at once.
    const timers = {
      setTimeout: ((run: () => void) => void queueMicrotask(run)) as never,
      clearTimeout: () => undefined,
    }
    const { server, client, shown } = await start({ timers })
    const app = await openText(client, '/nodebox/src/App.tsx')
    const util = await openText(client, '/nodebox/src/deep/util.ts')
    const typed = async (file: TextFile, text: string) => {
      append(file, text)
      await vi.waitUntil(() => file.pendingOperations === 0)
    }
    await typed(app, '// one')
    await vi.waitUntil(() => shown.get('/src/App.tsx') === 'export const App = 1\n// one')

    server.runPreview('save')
    await typed(app, ', two')
    await typed(util, '// three')
    expect(shown.get('/src/App.tsx')).toBe('export const App = 1\n// one')
    await app.save()
    expect(shown.get('/src/App.tsx')).toBe('export const App = 1\n// one, two')
    expect(shown.get('/src/deep/util.ts')).toBe('export const util = 2\n')

    server.runPreview('edit-delayed')
    expect(shown.get('/src/deep/util.ts')).toBe('export const util = 2\n// three')
  })

  it('BB6: keeps what was typed on this device before it is acknowledged, and gives it back to the next page', async () => {
    const { client, storage, unsent, room, link } = await start()
    const file = await openText(client, '/nodebox/src/App.tsx')
    room.goAway()
    append(file, '// typed')
    await vi.waitUntil(() => file.pendingOperations === 0)
    expect([...unsent.texts.values()][0]?.text).toBe('export const App = 1\n// typed')
    expect(storage.codeOf('App.tsx')).toBe('export const App = 1\n')

    link.close()
    const again = await start({ storage, unsent, room })
    const reopened = await openText(again.client, '/nodebox/src/App.tsx')
    expect([reopened.text, reopened.isDirty]).toEqual(['export const App = 1\n// typed', true])
    expect(again.shown.get('/src/App.tsx')).toBe('export const App = 1\n// typed')
    room.comeBack()
    await vi.waitUntil(() => unsent.texts.size === 0)
    await reopened.save()
    expect(storage.codeOf('App.tsx')).toBe('export const App = 1\n// typed')
  })

  it('BB7: what somebody else has saved meanwhile and what was typed both stay', async () => {
    const { client, storage, unsent, room, link } = await start()
    const file = await openText(client, '/nodebox/src/App.tsx')
    room.goAway()
    append(file, '// typed here\n')
    await vi.waitUntil(() => file.pendingOperations === 0)
    link.close()
    const elsewhere = await start({ storage, room, person: grace })
    room.comeBack()
    const theirs = await openText(elsewhere.client, '/nodebox/src/App.tsx')
    theirs.edit(['// saved there\n', theirs.text.length])
    await theirs.save()
    const again = await start({ storage, unsent, room })
    const reopened = await openText(again.client, '/nodebox/src/App.tsx')
    const both = '// saved there\nexport const App = 1\n// typed here\n'
    await vi.waitUntil(() => reopened.text === both && theirs.text === both)
    expect(room.textOf('App.tsx')).toBe(both)
  })

  it('BB8: two clients edit one text together', async () => {
    const { client, connect } = await start()
    const other = await connect()
    const [mine, theirs] = [await openText(client, 'src/App.tsx'), await openText(other, 'src/App.tsx')]
    append(mine, 'a')
    append(theirs, 'b')
    await vi.waitUntil(() => mine.text === theirs.text && mine.pendingOperations + theirs.pendingOperations === 0)
    expect(mine.text).toMatch(/^export const App = 1\n(?:ab|ba)$/)
  })

  it('BB9: a visitor and whoever may only read can look and change nothing', async () => {
    for (const options of [{ person: null }, { access: 'read' as const }]) {
      const { client, storage } = await start(options)
      const before = JSON.stringify(await storage.load())
      expect(text(await client.fs.readFile('/nodebox/index.html'))).toContain('root')
      const refused = { message: 'You do not have access to do this' }
      await expect(
        client.fs.writeFile('/nodebox/x', bytes(''), { create: true, overwrite: true }),
      ).rejects.toMatchObject(refused)
      await expect(client.fs.remove('/nodebox/index.html')).rejects.toMatchObject(refused)
      const file = await openText(client, '/nodebox/index.html')
      const parentId = client.fs.tree.idOf('')!
      await expect(client.fs.upload(parentId, 'x', bytes(''))).rejects.toMatchObject(refused)
      await expect(
        client.connection.request('file/documentOperation', { id: file.id, operation: ['x'], revision: 0 }),
      ).rejects.toMatchObject(refused)
      await expect(client.connection.request('file/save', { id: file.id })).rejects.toMatchObject(refused)
      expect(JSON.stringify(await storage.load())).toBe(before)
      if (options.person === null)
        expect(client.clients.self).toMatchObject({ username: 'anonymous', name: 'Anonymous' })
    }
  })

  it('BB10: says "Not implemented" to what needs a machine', async () => {
    const { client } = await start()
    const refused = { message: 'Not implemented' }
    await expect(client.shells.create({})).rejects.toMatchObject(refused)
    await expect(client.tasks.run('test')).rejects.toMatchObject(refused)
    await expect(client.tasks.runCommand('rm -rf /')).rejects.toMatchObject(refused)
    await expect(client.system.metrics()).rejects.toMatchObject(refused)
    await expect(client.setup.skip(0)).rejects.toMatchObject(refused)
  })

  it('BB11: finds texts and files, those with unsaved edits as they are edited', async () => {
    const { client } = await start()
    const file = await openText(client, '/nodebox/src/App.tsx')
    append(file, 'é needle')
    await vi.waitUntil(() => file.pendingOperations === 0)
    const [found] = await client.fs.search({ text: 'NEEDLE' })
    expect(found).toMatchObject({ lineNumber: 2, lines: { text: 'é needle\n' }, submatches: [{ start: 3, end: 9 }] })
    expect(await client.fs.search({ text: 'NEEDLE', caseSensitivity: 'enabled' })).toEqual([])
    expect((await client.fs.pathSearch('utl')).map(({ path }) => path)).toEqual(['src/deep/util.ts'])
    const streamed: unknown[] = []
    await client.fs.streamingSearch({ text: 'export' }, (matches) => streamed.push(...matches)).done
    expect(streamed).toHaveLength(2)
  })

  it('BB12: tells watchers what changed', async () => {
    const { client } = await start()
    const events: unknown[] = []
    await client.fs.watch('/nodebox/src', { recursive: true }, (seen) => events.push(...seen))
    await client.fs.writeFile('/nodebox/src/deep/x.ts', bytes(''), { create: true, overwrite: false })
    await client.fs.writeFile('/nodebox/y.ts', bytes(''), { create: true, overwrite: false })
    await vi.waitUntil(() => events.length > 0)
    expect(events).toEqual([{ type: 'add', paths: ['/nodebox/src/deep/x.ts'] }])
  })

  it('BB1022: watchers and trees hear nothing of what is hidden, and everything else goes on', async () => {
    const { client, connect, room, storage } = await start()
    const other = await connect()
    const events: { type: string; paths: string[] }[] = []
    await client.fs.watch('/nodebox', { recursive: true }, (seen) => events.push(...seen))
    const once = { create: true, overwrite: false }
    await client.fs.writeFile('/nodebox/.eslintrc.json', bytes('{}'), once)
    await client.fs.writeFile('/nodebox/.codesandbox/template.json', bytes('{}'), once)
    await client.fs.mkdir('/nodebox/.devcontainer')
    await client.fs.remove('/nodebox/.eslintrc.json')
    const hidden = [...storage.modules.values()].find(({ title }) => title === 'tasks.json')!
    room.tell({ type: 'files', modules: [], directories: [], removedModules: [hidden.shortid], removedDirectories: [] })
    // It is deeper in that these names mean nothing special.
    await client.fs.writeFile('/nodebox/src/.eslintrc.json', bytes('{}'), once)
    const paths = () => events.flatMap((event) => event.paths)
    await vi.waitUntil(() => paths().includes('/nodebox/src/.eslintrc.json'))
    expect(events).toEqual([{ type: 'add', paths: ['/nodebox/src/.eslintrc.json'] }])
    await vi.waitUntil(() => other.fs.tree.idOf('src/.eslintrc.json') !== undefined)
    expect([other.fs.tree.idOf('.devcontainer'), client.fs.tree.idOf('.devcontainer')]).toEqual([undefined, undefined])
    await expect(client.fs.readFile('/nodebox/.codesandbox/tasks.json')).rejects.toThrow('File not found')

    events.length = 0
    await client.fs.rename('/nodebox/src', '/nodebox/.codesandbox/src')
    await vi.waitUntil(() => other.fs.tree.idOf('src') === undefined)
    await vi.waitUntil(() => paths().includes('/nodebox/src'))
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['remove']))
    events.length = 0
    await client.fs.rename('/nodebox/.codesandbox/src', '/nodebox/shown')
    await vi.waitUntil(() => other.fs.tree.idOf('shown/deep/util.ts') !== undefined)
    await vi.waitUntil(() => paths().includes('/nodebox/shown/deep/util.ts'))
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['add']))
  })

  it('BB1022: whoever makes a hidden file in the tree does not show it, and can go on', async () => {
    const { client, storage } = await start()
    const { tree } = client.fs
    const create = (name: string) =>
      tree.operation({ type: 'create', parentId: '0', newEntry: { id: crypto.randomUUID(), type: 0, name } })
    await create('.eslintrc.json')
    expect([tree.idOf('.eslintrc.json'), storage.codeOf('.eslintrc.json')]).toEqual([undefined, ''])
    await create('shown.ts')
    await tree.operation({ type: 'move', id: tree.idOf('shown.ts')!, name: '.eslintignore' })
    expect(tree.idOf('.eslintignore')).toBeUndefined()
    await create('second.ts')
    expect([tree.idOf('second.ts') !== undefined, tree.idOf('shown.ts')]).toEqual([true, undefined])
  })

  it('BB13: keeps files that are no text as they are', async () => {
    const { client } = await start()
    const content = Uint8Array.from({ length: 300 }, (_, index) => index % 256)
    await client.fs.writeFile('/nodebox/picture', content, { create: true, overwrite: false })
    expect(await client.fs.readFile('/nodebox/picture')).toEqual(content)
    expect((await client.files.open('/nodebox/picture')).kind).toBe('binary')
  })

  async function startTwo() {
    const mine = await start()
    const theirs = await start({ storage: mine.storage, room: mine.room, person: grace })
    return { mine, theirs, room: mine.room, storage: mine.storage }
  }

  it('BB220: two pages edit one text together, and see each other and where the other one is', async () => {
    const { mine, theirs } = await startTwo()
    await vi.waitUntil(() => mine.client.clients.all.length === 2 && theirs.client.clients.all.length === 2)
    const other = mine.client.clients.all.find(({ username }) => username === 'grace')!
    const [left, right] = [await openText(mine.client, 'src/App.tsx'), await openText(theirs.client, 'src/App.tsx')]
    for (let round = 0; round < 20; round += 1) {
      append(left, 'a')
      right.edit(['b', right.text.length])
    }
    await vi.waitUntil(() => left.text.length === 61 && left.text === right.text)
    expect([left.text.match(/a/g)?.length, left.text.match(/^b*/)?.[0]]).toEqual([20, 'b'.repeat(20)])
    right.setSelection([{ anchor: 3, head: 5 }])
    await vi.waitUntil(() => left.selections.size === 1)
    expect([...left.selections]).toEqual([[other.clientId, [{ anchor: 3, head: 5 }]]])
    left.edit(['xx', left.text.length])
    expect([...left.selections.values()]).toEqual([[{ anchor: 5, head: 7 }]])
    theirs.link.close()
    await vi.waitUntil(() => left.selections.size === 0 && mine.client.clients.all.length === 1)
  })

  it('BB221: what one page saves is saved for the other one', async () => {
    const { mine, theirs, storage } = await startTwo()
    const [left, right] = [await openText(mine.client, 'src/App.tsx'), await openText(theirs.client, 'src/App.tsx')]
    append(left, 'x')
    await vi.waitUntil(() => right.isDirty)
    await left.save()
    expect(storage.codeOf('App.tsx')).toBe('export const App = 1\nx')
    await vi.waitUntil(() => !right.isDirty)
    expect(text(await theirs.client.fs.readFile('/nodebox/src/App.tsx'))).toBe('export const App = 1\nx')
  })

  it('BB222: what both typed while nobody was connected stays, once', async () => {
    const { mine, theirs, room } = await startTwo()
    const [left, right] = [await openText(mine.client, 'src/App.tsx'), await openText(theirs.client, 'src/App.tsx')]
    await vi.waitUntil(() => room.textOf('App.tsx') !== undefined)
    room.goAway()
    append(left, 'end')
    right.edit(['begin ', right.text.length])
    await vi.waitUntil(() => left.pendingOperations + right.pendingOperations === 0)
    room.comeBack()
    await vi.waitUntil(() => left.text === right.text)
    expect([left.text, room.textOf('App.tsx')]).toEqual(Array(2).fill('begin export const App = 1\nend'))
  })

  it('BB223: an operation that arrived although its answer did not is not done again by the next page', async () => {
    const { client, storage, room, unsent, link } = await start()
    const file = await openText(client, 'src/App.tsx')
    append(file, 'first ')
    await vi.waitUntil(() => room.textOf('App.tsx')?.endsWith('first '))
    await vi.waitUntil(() => unsent.texts.size === 0)
    room.isMute = true
    append(file, 'second ')
    await vi.waitUntil(() => room.textOf('App.tsx')?.endsWith('second '))
    append(file, 'third')
    await vi.waitUntil(() => file.pendingOperations === 0)
    link.close()
    room.isMute = false
    const again = await start({ storage, room, unsent })
    const reopened = await openText(again.client, 'src/App.tsx')
    await vi.waitUntil(() => room.textOf('App.tsx')?.endsWith('third'))
    expect([reopened.text, room.textOf('App.tsx')]).toEqual(Array(2).fill('export const App = 1\nfirst second third'))
  })

  it('BB224: files that come, move and go in another page do so here', async () => {
    const { mine, theirs, room, storage } = await startTwo()
    const folder = await storage.createDirectory({ title: 'made', directoryShortid: null })
    const given = { title: 'a.ts', directoryShortid: folder.shortid, code: '1', isBinary: false }
    const made = await storage.createModule(given)
    const wire = (code: string, title: string) => ({
      id: made.shortid,
      shortid: made.shortid,
      title,
      code,
      directory_shortid: folder.shortid,
      is_binary: false,
      source_id: '',
      upload_id: null,
      sha: null,
      inserted_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-01T00:00:00.000Z',
    })
    const directories = [{ ...wire('', 'made'), id: 'd', shortid: folder.shortid, directory_shortid: null }]
    const removed = { removedModules: [], removedDirectories: [] }
    room.tell({ type: 'files', modules: [wire('1', 'a.ts')], directories, ...removed })
    for (const { client, shown } of [mine, theirs]) {
      await vi.waitUntil(() => client.fs.tree.idOf('made/a.ts') !== undefined)
      expect(shown.get('/made/a.ts')).toBe('1')
    }
    room.tell({ type: 'files', modules: [wire('2', 'b.ts')], directories: [], ...removed })
    await vi.waitUntil(() => mine.client.fs.tree.idOf('made/b.ts') !== undefined)
    expect(text(await mine.client.fs.readFile('/nodebox/made/b.ts'))).toBe('2')
    const gone = { removedModules: [made.shortid], removedDirectories: [folder.shortid] }
    room.tell({ type: 'files', modules: [], directories: [], ...gone })
    await vi.waitUntil(() => mine.client.fs.tree.idOf('made') === undefined)
    expect([mine.shown.get('/made/a.ts'), mine.shown.get('/made/b.ts')]).toEqual([null, null])
  })

  it('BB611: a sandbox that became a devbox is told once, and its room is not looked for again', async () => {
    const storage = new MemoryStorage(files)
    const room = new MemoryRoom(storage)
    const { onConverted, client } = await start({ storage, room })
    room.tell({ type: 'converted' })
    await vi.waitUntil(() => onConverted.mock.calls.length > 0)
    room.comeBack()
    await start({ storage, room })
    expect(onConverted).toHaveBeenCalledOnce()
    expect(client.clients.all.map(({ username }) => username)).toEqual(['ada'])
  })

  it('BB956: it is told when the server goes away, and when it is back; not when a copy is gone on with', async () => {
    const room = new MemoryRoom(new MemoryStorage(files))
    const { onAway } = await start({ room })
    await vi.waitUntil(() => onAway.mock.lastCall?.[0] === false)
    room.goAway()
    await vi.waitUntil(() => onAway.mock.lastCall?.[0] === true)
    room.comeBack()
    await vi.waitUntil(() => onAway.mock.lastCall?.[0] === false)

    const storage = new MemoryStorage(files)
    const place = () => ({
      storage,
      unsent: new MemoryTexts(),
      room: new Room(new MemoryRoom(storage).link()),
      previewHost: 'def-8080.preview.test',
      api: 'http://app.test/api/v1/sandboxes/def',
    })
    const forked = await start({ access: 'read', fork: async () => place() })
    await forked.client.fs.mkdir('/nodebox/made')
    expect(forked.onAway.mock.calls).not.toContainEqual([true])
  })

  it('BB953: what is shown is kept as it is, saved or not, with files that come and go', async () => {
    const { client, storage } = await start()
    const file = await openText(client, 'src/App.tsx')
    append(file, '// typed')
    await client.fs.mkdir('/nodebox/made')
    await client.fs.writeFile('/nodebox/made/new.ts', bytes('new'), { create: true, overwrite: false })
    const kept = () => new SandboxTree(storage.kept ?? { version: 0, modules: [], directories: [] })
    const shown = () => new Map([...kept().files()].map((node) => [kept().pathOf(node), node.code]))
    await vi.waitUntil(() => shown().get('/made/new.ts') === 'new')
    await vi.waitUntil(() => shown().get('/src/App.tsx')?.endsWith('// typed'))
    expect(storage.codeOf('App.tsx')).not.toContain('typed')
    expect(storage.kept!.version).toBeLessThan(storage.version)
    await client.fs.remove('/nodebox/made', { recursive: true })
    await vi.waitUntil(() => !shown().has('/made/new.ts'))
  })

  it('BB225: a page that comes back takes over what happened to the files meanwhile', async () => {
    const { client, storage, room } = await start()
    room.goAway()
    const module = [...storage.modules.values()].find(({ title }) => title === 'util.ts')!
    await storage.updateModule(module.shortid, { title: 'renamed.ts' })
    await storage.createModule({ title: 'new.ts', directoryShortid: null, code: '', isBinary: false })
    const index = [...storage.modules.values()].find(({ title }) => title === 'index.html')!
    await storage.deleteModule(index.shortid)
    room.comeBack()
    await vi.waitUntil(() => client.fs.tree.idOf('new.ts') !== undefined)
    const { tree } = client.fs
    expect([tree.idOf('src/deep/util.ts'), tree.idOf('index.html')]).toEqual([undefined, undefined])
    expect(tree.idOf('src/deep/renamed.ts')).toBeDefined()
  })

  it('BB226: the preview follows what others type into files that are not open here', async () => {
    const { mine, theirs } = await startTwo()
    append(await openText(theirs.client, 'src/App.tsx'), '// theirs')
    await vi.waitUntil(() => mine.shown.get('/src/App.tsx') === 'export const App = 1\n// theirs')
  })

  it('BB227: saving says that the server is away, and loses nothing', async () => {
    const { client, room, storage } = await start()
    const file = await openText(client, 'src/App.tsx')
    room.goAway()
    append(file, 'x')
    await expect(file.save()).rejects.toThrow('The server does not answer. What you typed is kept on this device.')
    room.comeBack()
    await vi.waitUntil(() => room.textOf('App.tsx')?.endsWith('x'))
    await file.save()
    expect(storage.codeOf('App.tsx')).toBe('export const App = 1\nx')
  })

  it('BB231: adds, updates and removes a dependency, and refuses every other command', async () => {
    const { client, storage, shown } = await start()
    const open = await openText(client, 'package.json')
    const dependencies = () => (JSON.parse(storage.codeOf('package.json')!) as { dependencies: object }).dependencies
    await client.tasks.runCommand('dependency add left-pad')
    expect(dependencies()).toEqual({ 'left-pad': '^1.2.3' })
    await vi.waitUntil(() => open.text === storage.codeOf('package.json') && !open.isDirty)
    expect(shown.get('/package.json')).toBe(open.text)
    await client.tasks.runCommand('dependency add left-pad@~1.0.0')
    expect(dependencies()).toEqual({ 'left-pad': '~1.0.0' })
    await client.tasks.runCommand('dependency remove left-pad')
    expect(dependencies()).toEqual({})
    await expect(client.tasks.runCommand('dependency remove left-pad')).rejects.toThrow('Nothing was changed')
    await expect(client.tasks.runCommand('npm install left-pad')).rejects.toThrow('Not implemented')
    const visitor = await start({ person: null })
    await expect(visitor.client.tasks.runCommand('dependency add left-pad')).rejects.toThrow('access')
  })
})

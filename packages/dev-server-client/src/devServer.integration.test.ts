import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { apply } from '@boxyard/ot'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DevServerClient, Event, TextFile } from './index.ts'
import { RealDevServer } from './testing/realDevServer.ts'

/** Resolves when the condition holds; it is looked at after each of the events. */
function until(condition: () => boolean, ...events: Event<never>[]): Promise<void> {
  return new Promise((resolve) => {
    const subscriptions = events.map((event) => event(() => check()))
    const check = () => {
      if (!condition()) return
      for (const subscription of subscriptions) subscription.dispose()
      resolve()
    }
    check()
  })
}

const synced = (file: TextFile) => until(() => file.syncState === 'SYNCED', file.onDidChangeSync as Event<never>)

async function openText(client: DevServerClient, path: string) {
  const file = await client.files.open(path)
  if (file.kind !== 'text') throw new Error('Not a text')
  const editor = { text: file.text }
  file.onDidApplyRemote(({ operation }) => (editor.text = apply(editor.text, operation)))
  return {
    file,
    editor,
    insert(position: number, text: string, group: number) {
      const operation = [position, text, editor.text.length - position].filter((part) => part !== 0)
      editor.text = apply(editor.text, operation)
      file.edit(operation, group)
    },
  }
}

const shows = (opened: { file: TextFile; editor: { text: string } }, isWanted: (text: string) => boolean) =>
  until(() => isWanted(opened.editor.text), opened.file.onDidApplyRemote as Event<never>)

describe('with a real dev server', () => {
  let server: RealDevServer

  beforeEach(async () => {
    server = await RealDevServer.start()
    await writeFile(join(server.workspace, 'a.txt'), 'start\n')
  })
  afterEach(() => server.stop())

  it('DC40: two people who type at the same time end up with one text, and each undoes only their own', async () => {
    const [ada, bob] = await Promise.all([server.connect('ada'), server.connect('bob')])
    const [left, right] = await Promise.all([openText(ada.client, 'a.txt'), openText(bob.client, 'a.txt')])
    for (let index = 0; index < 40; index += 1) {
      left.insert(index, 'a', 1)
      right.insert(right.editor.text.length, 'b', 1)
      if (index % 5 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    const complete = (text: string) => text.length === 'start\n'.length + 80
    await Promise.all([shows(left, complete), shows(right, complete), synced(left.file), synced(right.file)])
    expect(left.editor.text).toBe(`${'a'.repeat(40)}start\n${'b'.repeat(40)}`)
    expect(right.editor.text).toBe(left.editor.text)
    expect(left.file.text).toBe(left.editor.text)
    left.editor.text = apply(left.editor.text, left.file.undo()!)
    await shows(right, (text) => !text.includes('a'.repeat(2)))
    expect(right.editor.text).toBe(`start\n${'b'.repeat(40)}`)
    expect(left.editor.text).toBe(right.editor.text)
    await left.file.save()
    expect(await readFile(join(server.workspace, 'a.txt'), 'utf8')).toBe(`start\n${'b'.repeat(40)}`)
    await until(() => !right.file.isDirty, right.file.onDidChangeDirty as Event<never>)
  })

  it('DC44: unsent edits survive a cut connection and merge with what others typed meanwhile', async () => {
    let isFocused = false
    const focus: (() => void)[] = []
    const [ada, bob] = await Promise.all([
      server.connect('ada', {
        isFocused: () => isFocused,
        onDidFocus: (listener) => {
          focus.push(listener as () => void)
          return { dispose: () => undefined }
        },
      }),
      server.connect('bob'),
    ])
    const [left, right] = await Promise.all([openText(ada.client, 'a.txt'), openText(bob.client, 'a.txt')])
    left.insert(0, 'before ', 1)
    await synced(left.file)
    const lost = until(
      () => ada.client.connection.state.kind === 'DISCONNECTED',
      ada.client.connection.onDidChangeState as Event<never>,
    )
    ada.sockets.at(-1)!.terminate()
    await lost
    left.insert(0, 'offline ', 2)
    await shows(right, (text) => text.startsWith('before'))
    right.insert(right.editor.text.length, 'meanwhile\n', 1)
    await synced(right.file)
    isFocused = true
    for (const listener of focus) listener()
    await shows(right, (text) => text.startsWith('offline'))
    await synced(left.file)
    expect(right.editor.text).toBe('offline before start\nmeanwhile\n')
    expect(left.editor.text).toBe(right.editor.text)
    expect(ada.client.clients.self?.clientId).toBe(ada.client.connection.joined?.client.clientId)
    left.editor.text = apply(left.editor.text, left.file.undo()!)
    expect(left.editor.text).toBe('before start\nmeanwhile\n')
  })

  it('DC44: accepted edits survive kill -9 of the dev server, unsent ones follow', async () => {
    let restarted: Promise<void> = Promise.resolve()
    const { client } = await server.connect('ada', {
      // The host starts the machine again when it is asked for the instance.
      resolveInstance: async () => {
        await restarted
        return server.instance('ada')
      },
    })
    const opened = await openText(client, 'a.txt')
    opened.insert(0, 'accepted ', 1)
    await synced(opened.file)
    restarted = server.kill().then(() => server.run())
    await until(() => client.connection.state.kind !== 'CONNECTED', client.connection.onDidChangeState as Event<never>)
    opened.insert(0, 'unsent ', 2)
    await until(() => client.connection.state.kind === 'CONNECTED', client.connection.onDidChangeState as Event<never>)
    await opened.file.save()
    expect(await readFile(join(server.workspace, 'a.txt'), 'utf8')).toBe('unsent accepted start\n')
    expect(opened.editor.text).toBe('unsent accepted start\n')
  })

  it('DC30: sees what is made, moved and removed, by itself and on disk', async () => {
    const { client } = await server.connect('ada')
    const { tree } = client.fs
    await tree.ready
    const change = tree.onDidChange as Event<never>
    await client.fs.mkdir('src')
    await until(() => tree.idOf('src') !== undefined, change)
    const id = crypto.randomUUID()
    expect(
      await tree.operation({ type: 'create', parentId: tree.idOf('src')!, newEntry: { id, type: 0, name: 'b.ts' } }),
    ).toBe(true)
    expect(await client.fs.readFile('src/b.ts')).toEqual(new Uint8Array())
    await client.fs.writeFile('src/b.ts', new TextEncoder().encode('two'), { create: false, overwrite: true })
    expect(await client.fs.stat('src/b.ts')).toMatchObject({ type: 0, size: 3, isSymlink: false })
    await client.fs.rename('src/b.ts', 'c.ts')
    await until(() => tree.pathOf(id) === 'c.ts', change)
    await writeFile(join(server.workspace, 'd.ts'), 'on disk')
    await until(() => tree.idOf('d.ts') !== undefined, change)
    const search = client.fs.streamingSearch({ text: 'on disk' }, (matches) =>
      found.push(...matches.map(({ filepath }) => filepath)),
    )
    const found: string[] = []
    expect(await search.done).toEqual({ hitLimit: false })
    expect(found).toHaveLength(1)
    await expect(client.fs.readFile('gone')).rejects.toMatchObject({ code: 102, data: { errno: 2 } })
  })

  it('DC50: shows where others are', async () => {
    const [ada, bob] = await Promise.all([server.connect('ada'), server.connect('bob')])
    const [left, right] = await Promise.all([openText(ada.client, 'a.txt'), openText(bob.client, 'a.txt')])
    left.file.setSelection([{ anchor: 1, head: 3 }])
    const { clientId } = ada.client.connection.joined!.client
    const change = right.file.onDidChangeSelections as Event<never>
    await until(() => right.file.selections.has(clientId), change)
    expect(right.file.selections.get(clientId)).toEqual([{ anchor: 1, head: 3 }])
    right.insert(0, '>>', 1)
    expect(right.file.selections.get(clientId)).toEqual([{ anchor: 3, head: 5 }])
    ada.client.dispose()
    await until(() => !right.file.selections.has(clientId), change)
    await until(() => bob.client.clients.all.length === 1, bob.client.clients.onDidChange as Event<never>)
  })

  it('DC60, DC61: a terminal goes on after a cut connection, with its scrollback', async () => {
    const { client, sockets } = await server.connect('ada')
    const terminal = await client.shells.create({ type: 'TERMINAL', size: { cols: 80, rows: 24 } })
    let screen = ''
    let resets = 0
    terminal.onReset(() => {
      screen = ''
      resets += 1
    })
    terminal.onData((data) => (screen += data))
    await terminal.write('echo one-$((1 + 1))\n')
    await until(() => screen.includes('one-2'), terminal.onData as Event<never>)
    expect(client.shells.all.map(({ shellId }) => shellId)).toContain(terminal.shell.shellId)
    sockets.at(-1)!.terminate()
    await until(() => resets === 1, terminal.onReset as Event<never>)
    await terminal.write('echo three-$((2 + 2))\n')
    await until(() => screen.includes('three-4'), terminal.onData as Event<never>)
    expect(screen.split('one-2')).toHaveLength(2)
    const ended = until(() => terminal.shell.status === 'KILLED', terminal.onExit as Event<never>)
    await client.shells.terminate(terminal.shell.shellId)
    await ended
  })

  it('DC62: a command that ends at once is heard to the end', async () => {
    const { client } = await server.connect('ada')
    for (let index = 0; index < 10; index += 1) {
      const command = await client.shells.create({ type: 'COMMAND', command: `echo line-${index}; exit 3` })
      let output = ''
      command.onData((data) => (output += data))
      await until(() => command.shell.status === 'ERROR', command.onExit as Event<never>)
      expect(command.shell.exitCode).toBe(3)
      expect(output).toContain(`line-${index}`)
    }
  })

  it('DC64: knows the set-up, the tasks and the ports', async () => {
    const manifest = { scripts: { serve: `node -e "require('http').createServer().listen(18734, '127.0.0.1')"` } }
    await writeFile(join(server.workspace, 'package.json'), JSON.stringify(manifest))
    const { client } = await server.connect('ada')
    await Promise.all([client.setup.ready, client.tasks.ready, client.ports.ready])
    expect(client.setup.progress?.steps.length).toBeGreaterThan(0)
    await until(() => client.tasks.all.length > 0, client.tasks.onDidChange as Event<never>)
    const task = client.tasks.all.find(({ name }) => name === 'serve')!
    await client.tasks.run(task.id)
    expect(await client.ports.waitForPort(18_734, { timeout: 60_000 })).toMatchObject({ port: 18_734 })
    await client.tasks.stop(task.id)
    await until(() => !client.ports.all.some(({ port }) => port === 18_734), client.ports.onDidChange as Event<never>)
  })
})

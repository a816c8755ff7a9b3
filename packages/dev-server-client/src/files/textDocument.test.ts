import { ProtocolError, rawFsError, savedHash } from '@boxyard/protocol'
import { describe, expect, it } from 'vitest'
import { apply } from '@boxyard/ot'
import type { TextOperation } from '@boxyard/ot'
import type { DevServerClient, OpenFile, TextFile } from '../index.ts'
import { settled } from '../testing/fakeClock.ts'
import { FakeServer, HOLD } from '../testing/fakeServer.ts'
import type { SentRequest } from '../testing/fakeSocket.ts'

function textFile(text: string, changes: Record<string, unknown> = {}, revision = 7) {
  return {
    id: 'f',
    isBinary: false,
    content: text,
    savedHash: savedHash('hello'),
    clients: {},
    document: { revision, clients: {} },
    ...changes,
  }
}

/** A server with one open text of which it answers nothing by itself. */
async function openText(text = 'hello') {
  const server = new FakeServer()
  server.answers['fs/read'] = () => ({ treeNodes: [{ id: 'f', type: 0, name: 'f.txt', parentId: '0' }], clock: 1 })
  server.answers['file/openByPath'] = () => textFile(text)
  server.answers['file/documentOperation'] = () => HOLD
  server.answers['file/documentAck'] = ({ params }) => ({ revision: params['revision'] })
  const client = await server.connectedClient()
  await server.clock.advance(1_000)
  const file = asText(await client.files.open('f.txt'))
  const editor = editorOf(file)
  return { server, client, file, editor }
}

/** What an editor does with a text file: it shows its own edits at once and applies what it is told. */
function editorOf(file: TextFile) {
  const editor = {
    text: file.text,
    type(operation: TextOperation, group: number | string) {
      editor.text = apply(editor.text, operation)
      file.edit(operation, group)
    },
    undo: () => show(file.undo()),
    redo: () => show(file.redo()),
  }
  const show = (operation: TextOperation | undefined) => {
    if (operation) editor.text = apply(editor.text, operation)
    return operation
  }
  file.onDidApplyRemote(({ operation }) => show(operation))
  return editor
}

function asText(file: OpenFile): TextFile {
  if (file.kind !== 'text') throw new Error('Not a text')
  return file
}

const operations = (server: FakeServer) => server.sent('file/documentOperation')
const accept = (server: FakeServer, request: SentRequest, revision: number) =>
  server.socket.respond(request, { id: 'f', revision })
const remote = (server: FakeServer, operation: (number | string)[], revision: number, reason = 0) =>
  server.socket.notify('file/documentOperation', { id: 'f', operation, revision, reason })

function failuresOf(client: DevServerClient): string[] {
  const failures: string[] = []
  client.onSyncFailure(({ area, error }) => failures.push(`${area}: ${error.message}`))
  return failures
}

describe('an open text', () => {
  it('tells what would be lost with the page, until it is accepted', async () => {
    const { server, file, editor } = await openText()
    expect(file.unaccepted()).toBeUndefined()
    editor.type([5, '!'], 1)
    editor.type([6, '?'], 2)
    expect(file.unaccepted()).toEqual({ known: 'hello', sent: 'hello!', text: 'hello!?' })
    remote(server, ['>', 5], 8)
    await settled()
    expect(file.unaccepted()).toEqual({ known: '>hello', sent: '>hello!', text: '>hello!?' })
    accept(server, operations(server)[0]!, 9)
    await settled()
    accept(server, operations(server)[1]!, 10)
    await settled()
    expect(file.unaccepted()).toBeUndefined()
  })

  it('DC40: keeps one operation in flight and sends the next after its acknowledgement', async () => {
    const { server, file, editor } = await openText()
    editor.type([5, '!'], 1)
    editor.type([6, '?'], 1)
    editor.type(['>', 7], 1)
    await settled()
    expect(operations(server).map(({ params }) => params)).toEqual([{ id: 'f', operation: [5, '!'], revision: 7 }])
    expect(file.pendingOperations).toBe(2)
    expect(file.syncState).toBe('SYNCING')
    accept(server, operations(server)[0]!, 8)
    await settled()
    expect(operations(server)[1]!.params).toEqual({ id: 'f', operation: ['>', 6, '?'], revision: 8 })
    accept(server, operations(server)[1]!, 9)
    expect(file.syncState).toBe('SYNCED')
    expect(file.pendingOperations).toBe(0)
  })

  it('DC41: takes acknowledgements and operations in the order of their frames, all in one turn', async () => {
    const { server, file, editor } = await openText('ab')
    editor.type(['X', 2], 1)
    await settled()
    remote(server, [1, 'r', 1], 8)
    accept(server, operations(server)[0]!, 9)
    remote(server, [4, 's'], 10)
    expect(file.text).toBe('Xarbs')
    expect(editor.text).toBe('Xarbs')
    expect(file.syncState).toBe('SYNCED')
    expect(server.sent('file/open')).toEqual([])
  })

  it('DC42: opens the file again when a revision is missing or an operation does not fit', async () => {
    const { server, file, editor } = await openText()
    server.answers['file/open'] = () =>
      textFile('hello there!', {
        document: {
          revision: 9,
          clients: {},
          replay: [
            { operation: [5, ' there'], revision: 8, own: false },
            { operation: [11, '!'], revision: 9, own: false },
          ],
        },
      })
    // It would fit the text; only its revision tells that one is missing.
    remote(server, [5, '!'], 9)
    expect(file.syncState).toBe('SYNCING')
    await settled()
    expect(server.last('file/open').params).toEqual({ id: 'f', isResync: true, sinceRevision: 7 })
    expect(file.text).toBe('hello there!')
    expect(editor.text).toBe('hello there!')
    server.answers['file/open'] = () => textFile('hello world', {}, 12)
    remote(server, [3, 'x'], 10)
    await settled()
    expect(editor.text).toBe('hello world')
    remote(server, ['>', 11], 13)
    expect(file.text).toBe('>hello world')
    expect(file.syncState).toBe('SYNCED')
  })

  it('DC43: opens the file again after a refusal and sends what the dev server does not have', async () => {
    const { server, file, editor } = await openText()
    server.answers['file/open'] = () =>
      textFile('hello.', {
        document: { revision: 8, clients: {}, replay: [{ operation: [5, '.'], revision: 8, own: false }] },
      })
    editor.type(['1', 5], 1)
    await settled()
    server.socket.refuse(operations(server)[0]!, 0, 'Too old')
    await settled()
    expect(editor.text).toBe('1hello.')
    expect(operations(server)[1]!.params).toEqual({ id: 'f', operation: ['1', 6], revision: 8 })
    accept(server, operations(server)[1]!, 9)
    expect(file.syncState).toBe('SYNCED')
  })

  it('DC44: keeps edits while disconnected and merges them by the missed operations', async () => {
    const { server, file, editor } = await openText()
    server.isFocused = false
    server.socket.end(1006)
    editor.type([5, ' world'], 1)
    editor.type(['> ', 11], 2)
    expect(file.syncState).toBe('SYNCING')
    server.answers['file/open'] = () =>
      textFile('well, hello', {
        document: { revision: 8, clients: {}, replay: [{ operation: ['well, ', 5], revision: 8, own: false }] },
      })
    let resyncs = 0
    file.onDidResync(() => (resyncs += 1))
    server.focus.fire()
    await settled()
    expect(resyncs).toBe(1)
    expect(editor.text).toBe('> well, hello world')
    expect(operations(server)[0]!.params).toEqual({ id: 'f', operation: [11, ' world'], revision: 8 })
    accept(server, operations(server)[0]!, 9)
    await settled()
    accept(server, operations(server)[1]!, 10)
    expect(file.syncState).toBe('SYNCED')
  })

  it('DC44: merges by the difference of the texts when the operations are gone', async () => {
    const { server, editor } = await openText()
    server.isFocused = false
    server.socket.end(1006)
    editor.type([5, ' world'], 1)
    server.answers['file/open'] = () => textFile('HELLO, hello', {}, 300)
    server.focus.fire()
    await settled()
    expect(editor.text).toBe('HELLO, hello world')
    expect(operations(server)[0]!.params).toEqual({ id: 'f', operation: [12, ' world'], revision: 300 })
  })

  it('DC45: does not send again what the replay names as own', async () => {
    const { server, file, editor } = await openText()
    editor.type([5, '!'], 1)
    await settled()
    server.answers['file/open'] = () =>
      textFile('hello!', {
        document: { revision: 8, clients: {}, replay: [{ operation: [5, '!'], revision: 8, own: true }] },
      })
    server.socket.end(1006)
    await settled()
    expect(editor.text).toBe('hello!')
    expect(operations(server)).toEqual([])
    expect(file.syncState).toBe('SYNCED')
  })

  it('DC45: does not trust a replay to know own operations when the identity was lost', async () => {
    const { server, editor } = await openText()
    editor.type([5, '!'], 1)
    await settled()
    server.clientId = 'somebody new'
    server.answers['file/open'] = () =>
      textFile('hello!', {
        document: { revision: 8, clients: {}, replay: [{ operation: [5, '!'], revision: 8, own: false }] },
      })
    server.socket.end(1006)
    await settled()
    expect(editor.text).toBe('hello!')
    expect(operations(server)).toEqual([])
  })

  it('DC46: stops after three refusals; the text stays until a person decides', async () => {
    const { server, client, file, editor } = await openText()
    const failures = failuresOf(client)
    server.answers['file/documentOperation'] = () => {
      throw new ProtocolError('CRITICAL_ERROR', 'Disk full')
    }
    server.answers['file/open'] = () => textFile('hello', { document: { revision: 7, clients: {}, replay: [] } })
    editor.type([5, '!'], 1)
    await settled()
    expect(operations(server)).toHaveLength(3)
    expect(file.syncState).toBe('OUT_OF_SYNC')
    expect(failures).toEqual(['file: Disk full'])
    await expect(file.save()).rejects.toThrow('The file f.txt is out of sync')
    editor.type([6, '?'], 1)
    expect(file.text).toBe('hello!?')
    server.answers['file/openByPath'] = () => textFile('hello server', {}, 9)
    server.answers['file/documentOperation'] = () => HOLD
    await file.resolve('client')
    expect(file.text).toBe('hello!?')
    await settled()
    const { operation, revision } = operations(server).at(-1)!.params as {
      operation: (number | string)[]
      revision: number
    }
    expect(revision).toBe(9)
    expect(apply('hello server', operation)).toBe('hello!?')
    accept(server, operations(server).at(-1)!, 10)
    expect(file.syncState).toBe('SYNCED')
  })

  it('DC704: edits that the disk has no room for stay, fail waiting saves, and are sent again until there is room', async () => {
    const { server, client, file, editor } = await openText()
    const failures = failuresOf(client)
    const states: string[] = []
    file.onDidChangeSync((state) => states.push(state))
    server.answers['file/documentOperation'] = () => {
      throw rawFsError(28, 'ENOSPC: no space left on device, write')
    }
    server.answers['file/open'] = () => textFile('hello', { document: { revision: 7, clients: {}, replay: [] } })
    editor.type([5, '!'], 1)
    const full = { codeName: 'RAWFS_ERROR', data: { errno: 28 } }
    await expect(file.save()).rejects.toMatchObject(full)
    expect(file.syncState).toBe('NO_ROOM')
    editor.type([6, '?'], 1)
    for (let tries = 2; tries < 6; tries += 1) {
      await server.clock.advance(4_999)
      expect(operations(server)).toHaveLength(tries - 1)
      await server.clock.advance(1)
      await settled()
      expect(operations(server)).toHaveLength(tries)
    }
    await expect(file.save()).rejects.toMatchObject(full)
    expect(operations(server)).toHaveLength(6)
    expect([file.text, file.syncState, failures]).toEqual(['hello!?', 'NO_ROOM', []])

    server.answers['file/documentOperation'] = () => HOLD
    server.answers['file/save'] = () => null
    const saving = file.save()
    await settled()
    const sent = () => operations(server).at(-1)!
    expect(sent().params).toEqual({ id: 'f', operation: [5, '!'], revision: 7 })
    accept(server, sent(), 8)
    await settled()
    expect(sent().params).toEqual({ id: 'f', operation: [6, '?'], revision: 8 })
    accept(server, sent(), 9)
    await saving
    await server.clock.advance(10_000)
    expect(operations(server)).toHaveLength(8)
    expect(states).toEqual(['SYNCING', 'NO_ROOM', 'SYNCING', 'SYNCED'])
  })

  it('DC46: takes the text of the dev server when a person decides so; a refused permission is final', async () => {
    const { server, client, file, editor } = await openText()
    const failures = failuresOf(client)
    server.answers['file/documentOperation'] = () => {
      throw new ProtocolError('NO_ACCESS')
    }
    editor.type([5, '!'], 1)
    await settled()
    expect(operations(server)).toHaveLength(1)
    expect(file.syncState).toBe('OUT_OF_SYNC')
    expect(failures).toEqual(['file: You do not have access to do this'])
    await file.resolve('server')
    expect(file.text).toBe('hello')
    expect(editor.text).toBe('hello')
    expect(file.syncState).toBe('SYNCED')
  })

  it('DC47: saves after every edit is accepted', async () => {
    const { server, file, editor } = await openText()
    editor.type([5, '!'], 1)
    const saved = file.save()
    await settled()
    expect(server.sent('file/save')).toEqual([])
    accept(server, operations(server)[0]!, 8)
    await saved
    expect(server.last('file/save').params).toEqual({ id: 'f' })
  })

  it('DC48: is dirty by hash', async () => {
    const { server, file, editor } = await openText()
    const seen: boolean[] = []
    file.onDidChangeDirty((isDirty) => seen.push(isDirty))
    expect(file.isDirty).toBe(false)
    editor.type([5, '!'], 1)
    expect(file.isDirty).toBe(true)
    expect(editor.undo()).toEqual([5, -1])
    expect(file.isDirty).toBe(false)
    editor.redo()
    const saves: string[] = []
    file.onDidSave((save) => saves.push(save.savedHash))
    server.socket.notify('file/save', { id: 'f', isBinary: false, content: 'hello!', savedHash: savedHash('hello!') })
    expect(file.isDirty).toBe(false)
    expect(seen).toEqual([true, false, true, false])
    expect(saves).toEqual([savedHash('hello!')])
  })

  it('DC49: closes one second after the last holder, and not before edits are accepted', async () => {
    const { server, client, file, editor } = await openText()
    const same = await client.files.open('/project/workspace/f.txt')
    expect(same).toBe(file)
    file.dispose()
    await server.clock.advance(5_000)
    expect(server.sent('file/close')).toEqual([])
    same.dispose()
    await server.clock.advance(999)
    const again = await client.files.open('f.txt')
    expect(again).toBe(file)
    await server.clock.advance(5_000)
    expect(server.sent('file/close')).toEqual([])
    editor.type([5, '!'], 1)
    again.dispose()
    await server.clock.advance(5_000)
    expect(server.sent('file/close')).toEqual([])
    accept(server, operations(server)[0]!, 8)
    await settled()
    expect(server.last('file/close').params).toEqual({ id: 'f' })
    expect(await client.files.open('f.txt')).not.toBe(file)
  })

  it('DC50: moves the selections of others with the text', async () => {
    const { server, file, editor } = await openText()
    let changes = 0
    file.onDidChangeSelections(() => (changes += 1))
    server.socket.notify('file/documentSelection', {
      id: 'f',
      selections: { bob: [{ anchor: 1, head: 3 }], me: [{ anchor: 0, head: 0 }], carl: [{ anchor: 99, head: 99 }] },
      reason: 1,
    })
    expect([...file.selections.keys()]).toEqual(['bob', 'carl'])
    expect(file.selections.get('carl')).toEqual([{ anchor: 5, head: 5 }])
    editor.type(['>>', 5], 1)
    expect(file.selections.get('bob')).toEqual([{ anchor: 3, head: 5 }])
    server.socket.notify('file/leave', { id: 'f', isBinary: false, clientId: 'bob', username: 'bob' })
    expect(file.selections.has('bob')).toBe(false)
    expect(changes).toBe(2)
  })

  it('DC50: sends the own selection when every edit is accepted, and again after a reconnect', async () => {
    const { server, file, editor } = await openText()
    const selection = () => server.sent('file/documentSelection').map(({ params }) => params['selection'])
    editor.type([5, '!'], 1)
    file.setSelection([{ anchor: 6, head: 6 }])
    await settled()
    expect(selection()).toEqual([])
    remote(server, ['__', 5], 8)
    accept(server, operations(server)[0]!, 9)
    await settled()
    expect(selection()).toEqual([[{ anchor: 8, head: 8 }]])
    server.answers['file/open'] = () => textFile('__hello!', { document: { revision: 9, clients: {}, replay: [] } })
    server.socket.end(1006)
    await settled()
    expect(selection()).toEqual([[{ anchor: 8, head: 8 }]])
  })

  it('DC51: undoes only own edits, as ordinary operations', async () => {
    const { server, file, editor } = await openText('')
    expect(file.canUndo).toBe(false)
    editor.type(['mine'], 'g1')
    await settled()
    accept(server, operations(server)[0]!, 8)
    remote(server, [2, 'THEIRS', 2], 9)
    expect(file.canUndo).toBe(true)
    const undo = editor.undo()
    expect(apply('miTHEIRSne', undo!)).toBe('THEIRS')
    expect(file.text).toBe('THEIRS')
    await settled()
    expect(operations(server)[1]!.params).toEqual({ id: 'f', operation: undo, revision: 9 })
    expect(file.canRedo).toBe(true)
    accept(server, operations(server)[1]!, 10)
    editor.redo()
    expect(file.text).toBe('miTHEIRSne')
  })

  it('DC53: tells every 128 revisions which one it has', async () => {
    const { server, file } = await openText('')
    for (let revision = 8; revision <= 270; revision += 1) {
      const operation = file.text === '' ? ['.'] : [file.text.length, '.']
      server.socket.notify('file/documentOperation', { id: 'f', operation, revision, reason: 0 })
      await settled()
    }
    expect(file.text).toHaveLength(263)
    expect(server.sent('file/documentAck').map(({ params }) => params['revision'])).toEqual([128, 256])
  })

  it('DC52: opens a file by its path when its id is not known any more', async () => {
    const { server, file, editor } = await openText()
    server.answers['file/open'] = () => {
      throw new ProtocolError('INVALID_ID')
    }
    server.answers['file/openByPath'] = () => textFile('hello again', { id: 'f2' }, 1)
    server.answers['fs/read'] = () => ({ treeNodes: [{ id: 'f2', type: 0, name: 'f.txt', parentId: '0' }], clock: 1 })
    server.socket.end(1006)
    await settled()
    expect(file.id).toBe('f2')
    expect(editor.text).toBe('hello again')
    server.socket.notify('file/documentOperation', { id: 'f2', operation: [11, '!'], revision: 2, reason: 1 })
    expect(editor.text).toBe('hello again!')
  })
})

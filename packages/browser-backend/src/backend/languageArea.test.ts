import { decode, permissionsFor } from '@boxyard/protocol'
import type { AccessLevel } from '@boxyard/protocol'
import { describe, expect, it } from 'vitest'
import { Connection } from './connection.ts'
import { LanguageArea } from './languageArea.ts'
import type { OpenLanguage } from './languagePort.ts'

const pair = { languageId: 'typescript', serverId: 'typescript' }
const question = {
  method: 'textDocument/hover',
  params: { textDocument: { uri: 'file:///nodebox/src/a%20b.ts' }, position: { line: 0, character: 0 } },
}

function begin() {
  const heard: unknown[] = []
  let notify: Parameters<OpenLanguage>[0]['onNotification'] = () => undefined
  let passPatience: () => void = () => undefined
  const area = new LanguageArea({
    open: ({ files, onNotification }) => {
      notify = onNotification
      heard.push(['open', Object.fromEntries(files)])
      return {
        request: async (method) => {
          heard.push(method)
          return `answer to ${method}`
        },
        change: (changes) => void heard.push(['change', Object.fromEntries(changes)]),
        opened: (paths) => void heard.push(['opened', paths]),
        moved: (api) => void heard.push(['moved', api]),
      }
    },
    texts: () => [['/src/a b.ts', 'saved']],
    openPaths: () => ['/src/a b.ts'],
    textOf: (path) => (path === '/src/a b.ts' ? 'typed' : undefined),
    workspace: '/nodebox',
    onSaid: () => undefined,
    timers: { setTimeout: ((then: () => void) => void (passPatience = then)) as unknown as typeof setTimeout },
  })
  const connect = (access: AccessLevel = 'read') => {
    const frames: unknown[] = []
    const client = { clientId: 'a', username: 'ada', name: 'Ada', avatarUrl: null, color: '', appId: '' }
    const connection = new Connection(client, permissionsFor(access), (frame) => frames.push(decode(frame)))
    return { connection, frames }
  }
  return {
    area,
    heard,
    connect,
    notify: (method: string, params: unknown) => notify(method, params),
    passPatience: () => passPatience(),
  }
}
const initialize = { ...pair, message: { method: 'initialize', params: {} } }

describe('the language server of a page', () => {
  it('BB707: starts when somebody asks for it, once, and not before there was a preview', async () => {
    const { area, heard, connect } = begin()
    const asked = [area.request(initialize, connect().connection), area.request(initialize, connect().connection)]
    await Promise.resolve()
    expect(heard).toEqual([])
    area.previewed()
    expect(await Promise.all(asked)).toEqual(['answer to initialize', 'answer to initialize'])
    expect(heard).toEqual([['open', { '/src/a b.ts': 'saved' }], ['opened', ['/src/a b.ts']], 'initialize'])
  })

  it('BB707: does not wait for ever for a preview that nobody looks at', async () => {
    const { area, connect, passPatience } = begin()
    const asked = area.request(initialize, connect().connection)
    passPatience()
    expect(await asked).toBe('answer to initialize')
  })

  it('BB708: answers for the text as its editors have it', async () => {
    const { area, heard, connect } = begin()
    const { connection } = connect()
    area.previewed()
    await area.request(initialize, connection)
    heard.length = 0
    expect(await area.request({ ...pair, message: question }, connection)).toBe('answer to textDocument/hover')
    expect(heard).toEqual([['change', { '/src/a b.ts': 'typed' }], 'textDocument/hover'])
    heard.length = 0
    await area.request({ ...pair, message: { method: 'workspace/symbol', params: { query: 'a' } } }, connection)
    expect(heard).toEqual([['change', { '/src/a b.ts': 'typed' }], 'workspace/symbol'])
    area.change(
      new Map<string, string | Uint8Array | null>([
        ['/b.ts', 'b'],
        ['/c.png', new Uint8Array(1)],
        ['/d.ts', null],
      ]),
    )
    expect(heard.at(-1)).toEqual(['change', { '/b.ts': 'b', '/d.ts': null }])
    expect(await area.request({ ...pair, message: { method: 'textDocument/didChange' } }, connection)).toBeNull()
  })

  it('BB1026: who may only read asks everything that changes nothing', async () => {
    const { area, connect, heard } = begin()
    const [reader, writer] = [connect('read').connection, connect('write').connection]
    area.previewed()
    for (const connection of [reader, writer]) await area.request(initialize, connection)
    for (const method of [
      'textDocument/hover',
      'textDocument/completion',
      'textDocument/definition',
      'codeAction/resolve',
    ])
      expect(await area.request({ ...pair, message: { method } }, reader)).toBe(`answer to ${method}`)
    heard.length = 0
    for (const method of ['workspace/executeCommand', 'workspace/didChangeConfiguration'])
      await expect(area.request({ ...pair, message: { method } }, reader)).rejects.toMatchObject({ code: 2 })
    expect(heard).toEqual([])
    const command = { method: 'workspace/executeCommand' }
    expect(await area.request({ ...pair, message: command }, writer)).toBe('answer to workspace/executeCommand')
  })

  it('BB1027: lists every language, and the server of those that it has one for', () => {
    const { languages } = begin().area.list()
    expect(languages.length).toBeGreaterThanOrEqual(30)
    const served = languages.filter(({ hasLanguageServer }) => hasLanguageServer)
    expect(served.map(({ id, languageServerIds }) => `${id} ${languageServerIds.join()}`)).toEqual([
      'typescript typescript',
      'typescriptreact typescript',
      'javascript typescript',
      'javascriptreact typescript',
    ])
  })

  it('BB709: refuses servers that are not there, and questions of who did not initialize it', async () => {
    const { area, connect, notify } = begin()
    const { connection, frames } = connect()
    area.previewed()
    await expect(area.request({ ...initialize, serverId: 'css' }, connection)).rejects.toMatchObject({ code: 1 })
    await expect(area.request({ ...pair, message: question }, connection)).rejects.toMatchObject({ code: -32002 })
    await area.request(initialize, connection)
    notify('textDocument/publishDiagnostics', { uri: 'file:///nodebox/a.ts', diagnostics: [] })
    expect(frames).toMatchObject([{ method: 'language/lspNotification', params: pair }])
    area.left(connection)
    notify('textDocument/publishDiagnostics', { uri: 'file:///nodebox/a.ts', diagnostics: [] })
    expect(frames.length).toBe(1)
  })
})

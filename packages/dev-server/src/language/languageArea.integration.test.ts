import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startDevServer, type DevServer } from '../devServer.ts'
import { createLog } from '../log.ts'
import { createTestBox, type TestBox } from '../testing/testBox.ts'
import { TestClient } from '../testing/testClient.ts'
import { fileUri } from './serverPrograms.ts'

interface Completions {
  items?: { label: string }[]
}

describe('language servers', () => {
  let folder: string
  let box: TestBox
  let server: DevServer
  let ada: TestClient

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'boxyard-language-servers-'))
    const script = fileURLToPath(new URL('../../build.mjs', import.meta.url))
    const program = `await (await import(${JSON.stringify(script)})).buildLanguageServers(${JSON.stringify(folder)})`
    const build = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'inherit' })
    expect(await once(build, 'exit')).toEqual([0, null])
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  beforeEach(async () => {
    box = await createTestBox({ languageServers: folder })
    const { workspace } = box.configuration
    await writeFile(join(workspace, 'tsconfig.json'), '{ "compilerOptions": { "strict": true, "types": [] } }')
    await writeFile(join(workspace, 'lib.ts'), 'export const answer = 42\n')
    await writeFile(join(workspace, 'main.ts'), "import { answer } from './lib'\n")
    await writeFile(join(workspace, 'style.css'), 'a { color: red }\n')
    await writeFile(join(workspace, 'page.html'), '<p>text</p>\n')
    await writeFile(join(workspace, 'data.json'), '{"a":1}\n')
    server = await startDevServer(
      box.configuration,
      createLog(() => undefined),
    )
    ada = await join_('ada')
  })
  afterEach(async () => {
    await server.stop()
    await box.remove()
  })

  const join_ = async (username: string, access: 'read' | 'write' = 'write'): Promise<TestClient> =>
    TestClient.join(box.configuration.socket, await box.token({ username, access }))
  const capabilities = {
    textDocument: {
      publishDiagnostics: {},
      completion: { completionItem: {} },
      hover: { contentFormat: ['plaintext'] },
      formatting: { dynamicRegistration: true },
    },
  }
  const ask = (
    client: TestClient,
    languageId: string,
    serverId: string,
    method: string,
    params: unknown,
  ): Promise<unknown> => client.call('language/lspRequest', { languageId, serverId, message: { method, params } })
  const initialize = async (
    client: TestClient,
    languageId: string,
    serverId: string,
    workspace = {},
  ): Promise<Record<string, unknown>> => {
    const params = { capabilities: { ...capabilities, workspace } }
    const result = await ask(client, languageId, serverId, 'initialize', params)
    await ask(client, languageId, serverId, 'initialized', {})
    return result as Record<string, unknown>
  }
  const uri = (name: string): string => fileUri(join(box.configuration.workspace, name))
  const at = (name: string, line: number, character: number): object => ({
    textDocument: { uri: uri(name) },
    position: { line, character },
  })
  const open = async (client: TestClient, name: string): Promise<string> => {
    const { treeNodes } = await client.call('fs/read', null)
    const { id } = treeNodes.find((node) => node.name === name)!
    await client.call('file/open', { id })
    return id
  }
  const labels = (answer: unknown): string[] =>
    ((answer as Completions).items ?? (answer as { label: string }[])).map(({ label }) => label)
  const hover = async (client: TestClient, line: number, character: number): Promise<string> =>
    JSON.stringify(await ask(client, 'typescript', 'typescript', 'textDocument/hover', at('main.ts', line, character)))

  it('LG3, LG5, LG7: each server answers for files as they are now, unsaved edits included', async () => {
    const { languages } = await ada.call('language/list', {})
    expect(languages.filter(({ hasLanguageServer }) => hasLanguageServer)).toHaveLength(10)
    expect(ada.joined.capabilities.language).toEqual({ list: true, pitcherLsp: true })
    await expect(hover(ada, 0, 0)).rejects.toMatchObject({ code: -32_002 })
    const result = await initialize(ada, 'typescript', 'typescript')
    expect(result['capabilities']).toMatchObject({ textDocumentSync: 0, documentRangeFormattingProvider: false })
    // Nobody has the file open: it is read from disk.
    // While the project is being read the answer is about the file alone.
    await expect.poll(() => hover(ada, 0, 10), { timeout: 100_000 }).toContain('answer: 42')
    const id = await open(ada, 'main.ts')
    const { revision } = (await ada.call('file/open', { id })).document!
    await ada.call('file/documentOperation', { id, revision, operation: [31, 'const mine: string = answer\n'] })
    expect(await hover(ada, 1, 7)).toContain('const mine: string')
    const told = await ada.next('language/lspNotification', ({ message }) => {
      const { uri: about } = message.params as { uri: string }
      if (message.method !== 'textDocument/publishDiagnostics' || about !== uri('main.ts')) return false
      return JSON.stringify(message.params).includes("Type 'number' is not assignable to type 'string'")
    })
    expect(told).toMatchObject({ languageId: 'typescript', serverId: 'typescript' })
    // Somebody else's idea of the text is of no interest.
    const lie = { textDocument: { uri: uri('main.ts'), version: 99 }, contentChanges: [{ text: '' }] }
    expect(await ask(ada, 'typescript', 'typescript', 'textDocument/didChange', lie)).toBeNull()
    expect(await hover(ada, 1, 7)).toContain('const mine: string')

    await initialize(ada, 'css', 'css')
    expect(labels(await ask(ada, 'css', 'css', 'textDocument/completion', at('style.css', 0, 11)))).toContain('blue')
    await initialize(ada, 'html', 'html')
    expect(await ask(ada, 'html', 'html', 'textDocument/hover', at('page.html', 0, 1))).toMatchObject({ contents: {} })
    await initialize(ada, 'json', 'json')
    const options = { tabSize: 2, insertSpaces: true }
    const formatting = { textDocument: { uri: uri('data.json') }, options }
    const edits = (await ask(ada, 'json', 'json', 'textDocument/formatting', formatting)) as unknown[]
    expect(edits.length).toBeGreaterThan(0)
    await expect(ask(ada, 'python', 'typescript', 'initialize', {})).rejects.toMatchObject({ code: 1 })
    await expect(ask(ada, 'typescript', 'nothing', 'initialize', {})).rejects.toMatchObject({ code: 1 })
    await expect(ask(ada, 'json', 'json', 'no/such', {})).rejects.toMatchObject({ code: -32_601 })
  })

  it('LG4, LG6: people share one process, and each is asked for what they asked', async () => {
    const bob = await join_('bob', 'read')
    const [first, second] = await Promise.all([
      initialize(ada, 'typescript', 'typescript'),
      initialize(bob, 'javascript', 'typescript'),
    ])
    expect(second).toEqual(first)
    expect(await languageServerPids('typescript-language-server')).toHaveLength(1)
    const id = await open(ada, 'main.ts')
    const about =
      (name: string) =>
      (told: { message: { method: string; params?: unknown } }): boolean =>
        told.message.method === 'textDocument/publishDiagnostics' &&
        (told.message.params as { uri: string }).uri === uri(name)
    await ada.next('language/lspNotification', about('main.ts'))
    expect(await bob.next('language/lspNotification', about('main.ts'))).toMatchObject({ languageId: 'javascript' })
    expect(await ask(ada, 'typescript', 'typescript', 'shutdown', null)).toBeNull()
    await expect(hover(ada, 0, 10)).rejects.toMatchObject({ code: -32_002 })
    await initialize(bob, 'typescript', 'typescript')
    expect(await hover(bob, 0, 10)).toContain('answer')
    await ada.call('file/close', { id })

    await initialize(bob, 'html', 'html', { configuration: true })
    await initialize(ada, 'html', 'html')
    const asking = ask(ada, 'html', 'html', 'textDocument/completion', at('page.html', 0, 1))
    const asked = await ada.next(
      'language/lspServerRequest',
      ({ message }) => message.method === 'workspace/configuration',
    )
    const { items } = asked.message.params as { items: unknown[] }
    const answer = { id: asked.message.id, result: items.map(() => ({})) }
    await bob.call('language/lspServerResponse', {
      ...asked,
      message: { id: asked.message.id, error: { code: 1, message: 'no' } },
    })
    await ada.call('language/lspServerResponse', { ...asked, message: answer })
    expect(labels(await asking)).toContain('div')
    expect(bob.received.filter(({ method }) => method === 'language/lspServerRequest')).toEqual([])
  })

  it('LG8: a server that crashes comes back with the open texts, and nobody notices', async () => {
    await initialize(ada, 'json', 'json')
    const id = await open(ada, 'data.json')
    const { revision } = (await ada.call('file/open', { id })).document!
    await ada.call('file/documentOperation', { id, revision, operation: [1, '"unsaved":2,', 7] })
    const symbols = async (): Promise<string> =>
      JSON.stringify(
        await ask(ada, 'json', 'json', 'textDocument/documentSymbol', { textDocument: { uri: uri('data.json') } }),
      )
    for (let round = 0; round < 3; round += 1) {
      const [pid] = await languageServerPids('servers/json')
      const asking = symbols()
      process.kill(pid!, 'SIGKILL')
      expect(await asking).toContain('unsaved')
      expect(await symbols()).toContain('unsaved')
    }
    for (let [pid] = await languageServerPids('servers/json'); pid !== undefined;) {
      process.kill(pid, 'SIGKILL')
      await symbols().catch(() => undefined)
      ;[pid] = await languageServerPids('servers/json')
    }
    await expect(symbols()).rejects.toMatchObject({ code: -32_002 })
    await initialize(ada, 'json', 'json')
    expect(await symbols()).toContain('unsaved')
  })

  it('LG9: who may only look has no commands run and changes no settings', async () => {
    const bob = await join_('bob', 'read')
    await initialize(bob, 'typescript', 'typescript')
    for (const method of ['workspace/executeCommand', 'workspace/didChangeConfiguration']) {
      await expect(ask(bob, 'typescript', 'typescript', method, {})).rejects.toMatchObject({ code: 2 })
    }
    expect(await hover(bob, 0, 10)).toContain('answer')
  })

  /** The processes of this box that speak the protocol; tsserver is a child of one of them. */
  async function languageServerPids(name: string): Promise<number[]> {
    const pids: number[] = []
    for (const pid of await readdir('/proc')) {
      if (!/^\d+$/.test(pid)) continue
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      if (line.includes(folder) && line.includes('--stdio') && line.includes(name)) pids.push(Number(pid))
    }
    return pids
  }
})

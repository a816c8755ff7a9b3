import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
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

  it('LG15: what is made in the project is found by its name before anybody opens a script, and as it is on disk then', async () => {
    await initialize(ada, 'typescript', 'typescript')
    const found = async (query: string): Promise<string[]> =>
      ((await ask(ada, 'typescript', 'typescript', 'workspace/symbol', { query })) as { name: string }[]).map(
        ({ name }) => name,
      )
    expect(await found('answer')).toContain('answer')
    await writeFile(join(box.configuration.workspace, 'lib.ts'), 'export const renamed = 42\n')
    await expect.poll(() => found('renamed')).toContain('renamed')
    expect(mistakes(ada, 'main.ts')).toBeUndefined()
    expect(mistakes(ada, 'lib.ts')).toBeUndefined()
  })

  it('LG4, LG6: people share one process, and each is asked for what they asked', async () => {
    const bob = await join_('bob', 'read')
    const [first, second] = await Promise.all([
      initialize(ada, 'typescript', 'typescript'),
      initialize(bob, 'javascript', 'typescript'),
    ])
    expect(second).toEqual(first)
    expect(await languageServerPids('lib/tsc')).toHaveLength(1)
    const id = await open(ada, 'main.ts')
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
    const askedToo = bob.received.filter(({ method }) => method === 'language/lspServerRequest')
    expect(askedToo.filter(({ params }) => JSON.stringify(params).includes('workspace/configuration'))).toEqual([])
  })

  it('LG6, LG12, LG13: mistakes follow texts, files and packages, and who comes later hears of them', async () => {
    await initialize(ada, 'typescript', 'typescript')
    await writeFile(
      join(box.configuration.workspace, 'main.ts'),
      "import { late } from './late'\nimport { packed } from 'packed'\nlate(packed)\n",
    )
    const id = await open(ada, 'main.ts')
    const missing = [`Cannot find module './late'`, `Cannot find module 'packed'`]
    await expect.poll(() => mistakes(ada, 'main.ts')).toEqual(missing.map((start) => expect.stringContaining(start)))
    const bob = await join_('bob', 'read')
    await initialize(bob, 'javascript', 'typescript')
    await expect.poll(() => mistakes(bob, 'main.ts')).toHaveLength(2)

    await writeFile(join(box.configuration.workspace, 'late.ts'), 'export const early = 1\n')
    const other = `Module '"./late"' has no exported member 'late'.`
    await expect.poll(() => mistakes(bob, 'main.ts')).toEqual([other, expect.stringContaining(missing[1]!)])
    await writeFile(join(box.configuration.workspace, 'late.ts'), 'export const late = (_: number) => _\n')
    await expect.poll(() => mistakes(bob, 'main.ts')).toEqual([expect.stringContaining(missing[1]!)])
    await install('packed', { name: 'packed', version: '1.0.0', types: 'index.d.ts' })
    await expect.poll(() => mistakes(bob, 'main.ts'), { timeout: 20_000 }).toEqual([])
    await rm(join(box.configuration.workspace, 'late.ts'))
    await expect.poll(() => mistakes(bob, 'main.ts')).toEqual([expect.stringContaining(missing[0]!)])
    await ada.call('file/close', { id })
    await expect.poll(() => mistakes(bob, 'main.ts')).toEqual([])
    const logged = bob.received.filter(({ params }) => JSON.stringify(params).includes('window/logMessage'))
    expect(logged).toEqual([])
  })

  it('LG14: while the set-up of a new box runs nothing is called a mistake', async () => {
    await server.stop()
    const { workspace } = box.configuration
    await mkdir(join(workspace, '.codesandbox'))
    const setupTasks = [{ name: 'Install', command: 'until [ -e ready ]; do sleep 0.05; done' }]
    await writeFile(join(workspace, '.codesandbox/tasks.json'), JSON.stringify({ setupTasks }))
    await writeFile(join(workspace, 'main.ts'), "import { answer } from './lib'\nanswer.missing\n")
    server = await startDevServer(
      box.configuration,
      createLog(() => undefined),
    )
    ada = await join_('ada')
    await open(ada, 'main.ts')
    await initialize(ada, 'typescript', 'typescript')
    // The server was asked for mistakes before.
    await expect.poll(() => hover(ada, 0, 10)).toContain('answer: 42')
    expect(mistakes(ada, 'main.ts')).toBeUndefined()
    expect((await ada.call('setup/get', null)).state).toBe('IN_PROGRESS')
    await writeFile(join(workspace, 'ready'), '')
    await expect.poll(() => mistakes(ada, 'main.ts'), { timeout: 20_000 }).toEqual([expect.stringContaining('missing')])
  })

  it('LG11, LG13: an older TypeScript of the workspace speaks through the relay, from when it is installed', async () => {
    await initialize(ada, 'typescript', 'typescript')
    await open(ada, 'main.ts')
    expect(await languageServerPids('lib/tsc')).toHaveLength(1)
    const servers = createRequire(import.meta.url).resolve('vscode-langservers-extracted/package.json')
    const older = createRequire(servers).resolve('typescript/package.json')
    await mkdir(join(box.configuration.workspace, 'node_modules'))
    await symlink(dirname(older), join(box.configuration.workspace, 'node_modules/typescript'))
    await expect
      .poll(() => languageServerPids('typescript-language-server/lib/cli.mjs'), { timeout: 20_000 })
      .toHaveLength(1)
    expect(await languageServerPids('lib/tsc')).toEqual([])
    await expect.poll(() => hover(ada, 0, 10), { timeout: 100_000 }).toContain('answer: 42')
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
    const forbidden = ['workspace/executeCommand', 'workspace/didChangeConfiguration', 'custom/saveHeapProfile']
    for (const method of forbidden) {
      await expect(ask(bob, 'typescript', 'typescript', method, {})).rejects.toMatchObject({ code: 2 })
    }
    expect(await hover(bob, 0, 10)).toContain('answer')
  })

  const about =
    (name: string) =>
    (told: { message: { method: string; params?: unknown } }): boolean =>
      told.message.method === 'textDocument/publishDiagnostics' &&
      (told.message.params as { uri: string }).uri === uri(name)

  /** What a client was told last of the errors of a text. */
  function mistakes(client: TestClient, name: string): string[] | undefined {
    const told = client.received.filter(
      ({ method, params }) =>
        method === 'language/lspNotification' && about(name)(params as Parameters<ReturnType<typeof about>>[0]),
    )
    const last = told.at(-1)?.params as
      { message: { params: { diagnostics: { message: string; severity: number }[] } } } | undefined
    return last?.message.params.diagnostics.filter(({ severity }) => severity === 1).map(({ message }) => message)
  }

  /** A package that is there from one moment to the next. */
  async function install(name: string, manifest: object): Promise<void> {
    const folder = join(box.configuration.workspace, 'node_modules', name)
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
    await writeFile(join(folder, 'index.d.ts'), 'export const packed: number\n')
  }

  /** The processes of this box that speak the protocol. */
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

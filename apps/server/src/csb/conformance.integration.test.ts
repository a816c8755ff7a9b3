import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { API, CodeSandbox, Sandbox, SandboxClient, VMTier } from '@codesandbox/sdk'
import { format, resolveConfig } from 'prettier'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { askPreview } from '../testing/preview.ts'
import { TEST_ADMIN_TOKEN } from '../testing/server.ts'
import { sdkMethods } from './testing/sdkMethods.ts'
import { startSdkServer } from './testing/sdkServer.ts'
import type { SdkServer } from './testing/sdkServer.ts'

/** What can not work as the SDK's documentation says, for reasons in the SDK itself. */
const limits: Record<string, string> = {
  'Hosts.getUrl':
    'The SDK builds `https://{id}-{port}.csb.app` whatever the server says. Take `Port.host`, which names this server.',
  'HostTokens.getUrl': 'As `Hosts.getUrl`: the SDK knows no other domain. Take `Port.host` and add `?preview_token=`.',
  'Task.waitForPort': 'The SDK only returns when the port is open already. Use `Ports.waitForPort`.',
  'Setup.waitUntilComplete':
    'The SDK only returns when the set-up was finished at the connection. Follow the steps instead.',
}

let sdk: SdkServer
let client: CodeSandbox
let api: API
let tiers: typeof VMTier
let sandbox: Sandbox
let box: SandboxClient
const proved = new Map<string, string>()

/** A test that proves methods of the SDK when it passes. */
function flow(title: string, methods: readonly string[], work: () => Promise<void>): void {
  it(`SD30: ${title}`, async () => {
    await work()
    for (const method of methods) proved.set(method, title)
  })
}

beforeAll(async () => {
  // The SDK gives the heartbeat of its connections milliseconds when it believes to be in a test.
  vi.stubEnv('NODE_ENV', 'production')
  const real = await import('@codesandbox/sdk')
  sdk = await startSdkServer()
  const { baseUrl } = sdk
  client = new real.CodeSandbox(TEST_ADMIN_TOKEN, { baseUrl })
  api = new real.API({ apiKey: TEST_ADMIN_TOKEN, config: { baseUrl } })
  tiers = real.VMTier
  sandbox = await client.sandboxes.create({ title: 'First', tags: ['one'] })
  box = await sandbox.connect()
})
afterAll(async () => {
  await close(box)
  await sdk.server.close()
  vi.unstubAllEnvs()
})

/** Ends a connection once the SDK has no question open: it drops those without catching what that rejects. */
async function close(at: SandboxClient): Promise<void> {
  if (at.state === 'CONNECTED') await at.ports.getAll()
  at.dispose()
}

/** Builds a template. The command ends with an error of its own when it drops a question, as above; then it is run again. */
async function build(...args: string[]): ReturnType<SdkServer['csb']> {
  const built = await sdk.csb('build', ...args)
  return built.output.includes('has been disposed') ? build(...args) : built
}

const opened = async (id: string): Promise<SandboxClient> => (await client.sandboxes.resume(id)).connect()
/** The names of the files of a folder. */
const names = async (at: SandboxClient, path: string): Promise<string[]> =>
  (await at.fs.readdir(path)).map(({ name }) => name).toSorted()

describe('a sandbox', () => {
  flow(
    'is created from the default template and connected to',
    ['Sandboxes.create', 'Sandbox.connect', 'API.forkSandbox', 'API.startVm'],
    async () => {
      expect(sandbox.bootupType).toBe('FORK')
      expect(sandbox.cluster).toBe('local')
      expect(sandbox.isUpToDate).toBe(true)
      expect(box.state).toBe('CONNECTED')
      expect(box.workspacePath).toBe('/project/workspace')
      expect(await names(box, '.')).toContain('README.md')
    },
  )

  flow('is read and listed', ['Sandboxes.get', 'Sandboxes.list', 'API.getSandbox', 'API.listSandboxes'], async () => {
    expect(await client.sandboxes.get(sandbox.id)).toMatchObject({ id: sandbox.id, title: 'First', privacy: 'private' })
    const { sandboxes, totalCount } = await client.sandboxes.list({ tags: ['one'] })
    expect(sandboxes.map(({ id, tags }) => [id, tags])).toEqual([[sandbox.id, ['one', 'sdk']]])
    expect(totalCount).toBe(1)
    expect((await client.sandboxes.list({ tags: ['other'] })).sandboxes).toEqual([])
    const running = await client.sandboxes.list({ status: 'running', limit: 200 })
    expect(running.sandboxes.map(({ id }) => id)).toContain(sandbox.id)
  })

  flow('is among those that run, with its size', ['Sandboxes.listRunning', 'API.listRunningVms'], async () => {
    const { vms, concurrentVmCount, concurrentVmLimit } = await client.sandboxes.listRunning()
    expect(concurrentVmCount).toBeLessThanOrEqual(concurrentVmLimit)
    const own = vms.find(({ id }) => id === sandbox.id)
    expect(own?.specs).toEqual({ cpu: 4, memory: 8, storage: 20 })
    expect(Math.abs((own?.sessionStartedAt?.getTime() ?? 0) - Date.now())).toBeLessThan(3_600_000)
  })
})

describe('files', () => {
  flow(
    'are written and read as text and bytes',
    ['FileSystem.writeTextFile', 'FileSystem.readTextFile', 'FileSystem.writeFile', 'FileSystem.readFile'],
    async () => {
      await box.fs.writeTextFile('notes.txt', 'Grüße\n')
      expect(await box.fs.readTextFile('notes.txt')).toBe('Grüße\n')
      const bytes = new Uint8Array([0, 1, 254, 255])
      await box.fs.writeFile('bytes.bin', bytes)
      expect(new Uint8Array(await box.fs.readFile('bytes.bin'))).toEqual(bytes)
      await expect(box.fs.writeTextFile('notes.txt', 'x', { create: true, overwrite: false })).rejects.toThrow()
      await expect(box.fs.readTextFile('missing.txt')).rejects.toThrow(/ENOENT|no such file/i)
    },
  )

  flow(
    'are listed, copied, renamed and removed',
    [
      'FileSystem.mkdir',
      'FileSystem.readdir',
      'FileSystem.stat',
      'FileSystem.copy',
      'FileSystem.rename',
      'FileSystem.remove',
    ],
    async () => {
      await box.fs.mkdir('folder/inner', true)
      await box.fs.writeTextFile('folder/inner/a.txt', 'a')
      expect(await box.fs.readdir('folder')).toEqual([{ name: 'inner', type: 'directory', isSymlink: false }])
      expect(await box.fs.stat('folder/inner/a.txt')).toMatchObject({ type: 'file', size: 1, isSymlink: false })
      await box.fs.copy('folder', 'copied', true)
      await box.fs.rename('copied/inner/a.txt', 'copied/b.txt')
      expect(await box.fs.readTextFile('copied/b.txt')).toBe('a')
      await box.fs.remove('folder', true)
      expect(await names(box, '.')).not.toContain('folder')
    },
  )

  flow('are written many at once', ['FileSystem.batchWrite'], async () => {
    await box.fs.batchWrite([
      { path: 'batch/one.txt', content: 'one' },
      { path: 'batch/deep/two.txt', content: new Uint8Array([50]) },
    ])
    expect(await box.fs.readTextFile('batch/one.txt')).toBe('one')
    expect(await box.fs.readTextFile('batch/deep/two.txt')).toBe('2')
  })

  flow('are watched', ['FileSystem.watch'], async () => {
    await box.fs.mkdir('watched')
    const watcher = await box.fs.watch('watched', { recursive: true })
    const seen = new Promise<string[]>((resolve) => watcher.onEvent(({ paths }) => resolve(paths)))
    await box.fs.writeTextFile('watched/new.txt', 'new')
    expect((await seen).join()).toContain('new.txt')
    watcher.dispose()
  })
})

describe('commands', () => {
  flow('run to their end', ['SandboxCommands.run'], async () => {
    expect(await box.commands.run('echo "$WHO in $(pwd)"', { env: { WHO: 'me' }, cwd: '/tmp' })).toContain('me in /tmp')
    expect(await box.commands.run(['echo first', 'echo second'])).toContain('second')
    await expect(box.commands.run('echo broken; exit 3')).rejects.toMatchObject({ exitCode: 3 })
  })

  flow(
    'run in the background, are found, restarted and ended',
    [
      'SandboxCommands.runBackground',
      'SandboxCommands.getAll',
      'Command.open',
      'Command.waitUntilComplete',
      'Command.restart',
      'Command.kill',
    ],
    async () => {
      const quick = await box.commands.runBackground('echo done', { name: 'quick' })
      expect(await quick.waitUntilComplete()).toContain('done')
      const slow = await box.commands.runBackground('echo started; sleep 1000', { name: 'slow' })
      await slow.open()
      await vi.waitUntil(async () => (await slow.open()).includes('started'), { timeout: 60_000 })
      expect((await box.commands.getAll()).map(({ name }) => name)).toContain('slow')
      await slow.restart()
      await slow.kill()
      expect((await box.commands.getAll()).map(({ name }) => name)).not.toContain('slow')
    },
  )

  flow('run code', ['Interpreters.javascript', 'Interpreters.python'], async () => {
    expect(await box.interpreters.javascript('const a = 40\na + 2')).toContain('42')
    expect(await box.interpreters.python('6 * 7')).toContain('42')
  })
})

describe('terminals', () => {
  flow(
    'are opened, typed into, found again and ended',
    [
      'Terminals.create',
      'Terminals.get',
      'Terminals.getAll',
      'Terminal.open',
      'Terminal.write',
      'Terminal.run',
      'Terminal.kill',
    ],
    async () => {
      const terminal = await box.terminals.create('bash', { name: 'work' })
      let output = ''
      terminal.onOutput((text) => (output += text))
      output += await terminal.open({ cols: 100, rows: 30 })
      await terminal.run('echo $((40 + 2))')
      await vi.waitUntil(() => /\b42\b/.test(output), { timeout: 60_000 })
      await terminal.write('echo $((50 + 5))\r')
      await vi.waitUntil(() => /\b55\b/.test(output), { timeout: 60_000 })
      expect((await box.terminals.get(terminal.id))?.id).toBe(terminal.id)
      expect((await box.terminals.getAll()).map(({ id }) => id)).toContain(terminal.id)
      await terminal.kill()
      await vi.waitUntil(async () => (await box.terminals.get(terminal.id)) === undefined, { timeout: 60_000 })
    },
  )
})

const serve = (port: number, text: string): string =>
  `node -e 'require("http").createServer((q, a) => a.end("${text}")).listen(${port})'`

describe('tasks, set-up and ports', () => {
  flow(
    'start and stop what tasks.json describes, and run its set-up after a restart',
    [
      'Sandboxes.restart',
      'API.shutdown',
      'Tasks.getAll',
      'Tasks.get',
      'Task.open',
      'Task.run',
      'Task.restart',
      'Task.stop',
      'Setup.getSteps',
      'Setup.run',
      'Step.open',
      'Step.waitUntilComplete',
      'Ports.waitForPort',
      'Ports.get',
      'Ports.getAll',
      'SandboxClient.dispose',
      'Task.dispose',
    ],
    async () => {
      const setup = [{ name: 'Prepare', command: 'echo prepared; echo once >> prepared.txt' }]
      const tasks = { web: { name: 'Web', command: serve(4321, 'from the task'), preview: { port: 4321 } } }
      await box.fs.mkdir('.codesandbox', true)
      await box.fs.writeTextFile('.codesandbox/tasks.json', JSON.stringify({ setupTasks: setup, tasks }))
      await close(box)
      const restarted = await client.sandboxes.restart(sandbox.id)
      expect(restarted.bootupType).toBe('CLEAN')
      box = await restarted.connect()
      const steps = box.setup.getSteps()
      expect(steps.map(({ name }) => name)).toEqual(['Prepare'])
      const [step] = steps
      await step!.waitUntilComplete()
      expect(await step!.open()).toContain('prepared')
      expect(await box.fs.readTextFile('prepared.txt')).toBe('once\n')
      await box.setup.run()

      const [task] = await box.tasks.getAll()
      expect([task?.id, task?.command]).toEqual(['web', tasks.web.command])
      await task!.run()
      const port = await box.ports.waitForPort(4321)
      expect(port.host).toBe(`${sandbox.id}-4321.preview.${sdk.server.context.configuration.base}`)
      expect((await box.ports.get(4321))?.port).toBe(4321)
      expect((await box.ports.getAll()).map((open) => open.port)).toContain(4321)
      await task!.open()
      const closed = new Promise<number>((resolve) => box.ports.onDidPortClose(resolve))
      await task!.stop()
      expect(await closed).toBe(4321)
      const again = new Promise<number>((resolve) => box.ports.onDidPortOpen((open) => resolve(open.port)))
      await task!.restart()
      expect(await again).toBe(4321)
      expect((await box.tasks.get('web'))?.id).toBe('web')
      task!.dispose()
    },
  )
})

const preview = async (id: string, port: number, token: string): Promise<[number, string]> => {
  const { status, text } = await askPreview(sdk.server, { id, port, token, path: '/', method: 'GET' })
  return [status, text]
}

describe('hosts', () => {
  flow(
    'of a private preview are opened by tokens, until they end',
    [
      'FileSystem.download',
      'HostTokens.createToken',
      'HostTokens.listTokens',
      'HostTokens.updateToken',
      'HostTokens.revokeToken',
      'HostTokens.revokeAllTokens',
      'HostTokens.getHeaders',
      'HostTokens.getCookies',
      'Hosts.getHeaders',
      'Hosts.getCookies',
      'API.createPreviewToken',
      'API.listPreviewTokens',
      'API.updatePreviewToken',
      'API.revokeAllPreviewTokens',
    ],
    async () => {
      const { id } = await client.sandboxes.create({ id: sandbox.id, privacy: 'private' })
      const made = await opened(id)
      await made.commands.runBackground(serve(5000, 'secret page'))
      await made.ports.waitForPort(5000)
      const token = await client.hosts.createToken(id, { expiresAt: new Date(Date.now() + 3_600_000) })
      const headers = client.hosts.getHeaders({ sandboxId: id, token: token.token })
      expect(headers).toEqual({ 'csb-preview-token': token.token })
      expect(client.hosts.getCookies({ sandboxId: id, token: token.token })).toEqual({
        csb_preview_token: token.token,
      })
      expect(await preview(id, 5000, token.token)).toEqual([200, 'secret page'])
      expect((await preview(id, 5000, `${token.token}x`))[0]).toBe(401)
      // There the token is worth nothing, and what everybody may see stays open.
      expect(await preview(sandbox.id, 4321, token.token)).toEqual(await preview(sandbox.id, 4321, ''))

      const archive = new URL((await made.fs.download('.')).downloadUrl)
      const port = Number(/^\w+-(\d+)\.preview\./.exec(archive.host)?.[1])
      const path = archive.pathname + archive.search
      const zip = await askPreview(sdk.server, { id, port, token: token.token, path, method: 'GET' })
      expect([zip.status, zip.text.slice(0, 2)]).toEqual([200, 'PK'])

      const session = await (await client.sandboxes.resume(id)).connect({ id: 'guest', hostToken: token })
      expect(session.hosts.getHeaders()).toEqual(headers)
      expect(session.hosts.getCookies()).toEqual({ csb_preview_token: token.token })
      await close(session)

      const [listed] = await client.hosts.listTokens(id)
      expect(token.token.startsWith(listed!.tokenPrefix)).toBe(true)
      expect(listed?.lastUsedAt).toBeInstanceOf(Date)
      await client.hosts.revokeToken(id, token.tokenId)
      expect((await preview(id, 5000, token.token))[0]).toBe(401)
      expect((await client.hosts.updateToken(id, token.tokenId, null)).expiresAt).toBeNull()
      expect((await preview(id, 5000, token.token))[0]).toBe(200)
      await client.hosts.revokeAllTokens(id)
      expect((await preview(id, 5000, token.token))[0]).toBe(401)
      expect(await client.hosts.listTokens(id)).toEqual([])
      await close(made)
    },
  )

  flow(
    'of a sandbox with public hosts are open, and may be embedded by the hosts of the workspace',
    ['API.listPreviewHosts', 'API.createPreviewHost', 'API.updatePreviewHost'],
    async () => {
      const open = await askPreview(sdk.server, { id: sandbox.id, port: 4321, token: '', path: '/', method: 'GET' })
      expect([open.status, open.text]).toEqual([200, 'from the task'])
      await api.createPreviewHost({ hosts: ['one.example.com'] })
      await api.createPreviewHost({ hosts: ['two.example.com'] })
      const hosts = async () => (await api.listPreviewHosts()).preview_hosts.map(({ host }) => host)
      expect(await hosts()).toEqual(['one.example.com', 'two.example.com'])
      await api.updatePreviewHost({ hosts: ['three.example.com'] })
      expect(await hosts()).toEqual(['three.example.com'])
    },
  )
})

describe('sessions', () => {
  flow(
    'have a name of their own, and only read when asked for',
    ['API.createSession', 'Sandbox.createSession'],
    async () => {
      const writer = await sandbox.connect({ id: 'writer', permission: 'write', env: { WHO: 'writer' } })
      expect(await writer.commands.run('echo $WHO')).toContain('writer')
      await close(writer)
      const session = await sandbox.createSession({ id: 'reader', permission: 'read' })
      const { connectToSandbox } = await import('@codesandbox/sdk/node')
      const reader = await connectToSandbox({ session, getSession: async () => session })
      expect(await reader.fs.readTextFile('notes.txt')).toBe('Grüße\n')
      await expect(reader.fs.writeTextFile('notes.txt', 'no')).rejects.toThrow()
      await expect(reader.commands.run('echo no')).rejects.toThrow()
      await close(reader)
    },
  )

  flow('are begun for a browser', ['Sandbox.createBrowserSession'], async () => {
    expect(await sandbox.createBrowserSession({ id: 'browser' })).toMatchObject({
      sandboxId: sandbox.id,
      pitcherURL: `ws://localhost:${sdk.server.port}/box/${sandbox.id}`,
    })
  })
})

describe('the life of a machine', () => {
  flow(
    'sleeps and goes on with its processes',
    ['Sandboxes.hibernate', 'Sandboxes.resume', 'SandboxClient.reconnect', 'SandboxClient.disconnect', 'API.hibernate'],
    async () => {
      await box.commands.runBackground('echo $$ > sleeper.pid; exec sleep 1000')
      await vi.waitUntil(() => box.fs.readTextFile('sleeper.pid').catch(() => ''), { timeout: 60_000 })
      const asleep = new Promise<void>((resolve) => {
        box.onStateChange((state) => state === 'HIBERNATED' && resolve())
      })
      await client.sandboxes.hibernate(sandbox.id)
      await asleep
      const resumed = await client.sandboxes.resume(sandbox.id)
      expect(resumed.bootupType).toBe('RESUME')
      await box.reconnect()
      expect(await box.commands.run('kill -0 $(cat sleeper.pid) && echo lives')).toContain('lives')
      expect((await client.sandboxes.resume(sandbox.id)).bootupType).toBe('RUNNING')
      await box.disconnect()
      await box.reconnect()
      expect(await box.fs.readTextFile('notes.txt')).toBe('Grüße\n')
    },
  )

  flow('is forked while it runs', ['Sandboxes.fork'], async () => {
    await box.fs.writeTextFile('forked.txt', 'before')
    const fork = await client.sandboxes.fork(sandbox.id)
    expect(fork.bootupType).toBe('FORK')
    const other = await fork.connect()
    await other.fs.writeTextFile('forked.txt', 'after')
    expect(await box.fs.readTextFile('forked.txt')).toBe('before')
    expect(await other.fs.readTextFile('notes.txt')).toBe('Grüße\n')
    await close(other)
    await client.sandboxes.delete(fork.id)
  })

  flow(
    'is given another size and idle time',
    [
      'Sandbox.updateTier',
      'Sandbox.updateHibernationTimeout',
      'SandboxClient.keepActiveWhileConnected',
      'API.updateSpecs',
      'API.updateVmSpecs2',
      'API.updateHibernationTimeout',
    ],
    async () => {
      const specs = async () => (await client.sandboxes.listRunning()).vms.find(({ id }) => id === sandbox.id)?.specs
      await sandbox.updateTier(tiers.Nano)
      expect(await specs()).toEqual({ cpu: 2, memory: 4, storage: 20 })
      expect(await api.updateVmSpecs2(sandbox.id, { tier: 'Small' })).toEqual({ id: sandbox.id, tier: 'Small' })
      expect(await specs()).toEqual({ cpu: 8, memory: 16, storage: 30 })
      await sandbox.updateHibernationTimeout(3600)
      box.keepActiveWhileConnected(true)
      box.keepActiveWhileConnected(false)
    },
  )

  flow('ends, and is deleted for good', ['Sandboxes.shutdown', 'Sandboxes.delete', 'API.deleteVm'], async () => {
    const { id } = await client.sandboxes.create({ vmTier: tiers.Pico, hibernationTimeoutSeconds: 600 })
    const { vms } = await client.sandboxes.listRunning()
    expect(vms.find((vm) => vm.id === id)?.specs).toEqual({ cpu: 1, memory: 2, storage: 20 })
    await client.sandboxes.shutdown(id)
    expect((await client.sandboxes.listRunning()).vms.map((vm) => vm.id)).not.toContain(id)
    expect((await client.sandboxes.resume(id)).bootupType).toBe('CLEAN')
    await client.sandboxes.delete(id)
    await expect(client.sandboxes.get(id)).rejects.toThrow(/not found/)
    await expect(client.sandboxes.resume(id)).rejects.toThrow(/not found/)
  })
})

describe('workspaces, keys and templates', () => {
  flow(
    'are made by programs',
    ['API.getMetaInfo', 'API.createWorkspace', 'API.createToken', 'API.updateToken', 'API.listVmClusters'],
    async () => {
      const info = (await api.getMetaInfo()).data
      expect(info).toMatchObject({ api: { name: 'Boxyard' }, auth: { version: '2023-07-01' } })
      const workspace = await api.createWorkspace({ name: 'Made by a program' })
      const key = await api.createToken(workspace.id, { description: 'CI', scopes: ['sandbox_read'] })
      expect(key).toMatchObject({ team_id: workspace.id, scopes: ['sandbox_read'] })
      const changed = await api.updateToken(workspace.id, key.token_id, { description: 'Changed' })
      expect(changed).toMatchObject({ description: 'Changed', scopes: ['sandbox_read'] })
      expect((await api.listVmClusters()).clusters.map(({ slug }) => slug)).toEqual(['local'])
    },
  )

  flow('create a sandbox from files', ['API.createSandbox'], async () => {
    const files = { 'src/a.txt': { code: 'a' }, 'b.bin': { binary_content: 'AAH/', is_binary: true } }
    const { id } = await api.createSandbox({ title: 'From files', files, runtime: 'vm' })
    const made = await opened(id)
    expect(await made.fs.readTextFile('src/a.txt')).toBe('a')
    expect([...(await made.fs.readFile('b.bin'))]).toEqual([0, 1, 255])
    await close(made)
  })

  flow(
    'name machines for others to fork',
    ['API.createTemplate', 'API.createVmTag', 'API.assignVmTagAlias'],
    async () => {
      const { tag, sandboxes } = await api.createTemplate({ forkOf: sandbox.id, title: 'A template' })
      expect(sandboxes).toEqual([{ id: expect.any(String), cluster: 'local' }])
      expect((await api.createVmTag({ vm_ids: [sandboxes[0]!.id] })).tag_id).toMatch(/^pt_/)
      await api.assignVmTagAlias('team', 'base', { tag_id: tag } as never)
      for (const id of [tag, 'team@base']) {
        const made = await client.sandboxes.create({ id })
        const at = await made.connect()
        expect(await at.fs.readTextFile('notes.txt')).toBe('Grüße\n')
        await close(at)
        await client.sandboxes.delete(made.id)
      }
    },
  )
})

describe('the command csb', () => {
  flow('lists, forks, hibernates and ends sandboxes', ['csb sandboxes'], async () => {
    const listed = await sdk.csb('sandboxes', 'list')
    expect([listed.code, listed.output.includes(sandbox.id)], listed.output).toEqual([0, true])
    const forked = await sdk.csb('sandboxes', 'fork', sandbox.id)
    expect(forked.code, forked.output).toBe(0)
    const slept = await sdk.csb('sandboxes', 'hibernate', sandbox.id)
    expect(slept.code, slept.output).toBe(0)
    const ended = await sdk.csb('sandboxes', 'shutdown', sandbox.id)
    expect(ended.code, ended.output).toBe(0)
  })

  flow('makes and revokes host tokens', ['csb host-tokens'], async () => {
    const made = await sdk.csb('host-tokens', 'create', sandbox.id, '--expires-at', '2099-01-01T00:00:00Z')
    expect(made.code, made.output).toBe(0)
    const listed = await sdk.csb('host-tokens', 'list', sandbox.id)
    expect([listed.code, listed.output.includes('prv_')], listed.output).toEqual([0, true])
    const [token] = await client.hosts.listTokens(sandbox.id)
    const revoked = await sdk.csb('host-tokens', 'revoke', sandbox.id, token!.tokenId)
    expect(revoked.code, revoked.output).toBe(0)
  })

  flow('keeps the hosts that may embed previews', ['csb preview-hosts'], async () => {
    expect((await sdk.csb('preview-hosts', 'add', 'mine.example.com')).code).toBe(0)
    expect((await sdk.csb('preview-hosts', 'list')).output).toContain('mine.example.com')
    expect((await sdk.csb('preview-hosts', 'clear')).code).toBe(0)
    expect((await api.listPreviewHosts()).preview_hosts).toEqual([])
  })

  flow('builds a template from a folder, under a name', ['csb build'], async () => {
    const folder = mkdtempSync(join(tmpdir(), 'boxyard-csb-build-'))
    try {
      writeFileSync(join(folder, 'built.txt'), 'built')
      const built = await build(folder, '--alias', 'team@built', '--ci')
      expect(built.code, built.output).toBe(0)
      const made = await (await client.sandboxes.create({ id: 'team@built' })).connect()
      expect(await made.fs.readTextFile('built.txt')).toBe('built')
      await close(made)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

it('SD31: every method of the SDK is proved to work, or the report says why it can not', async () => {
  const cli = ['csb sandboxes', 'csb host-tokens', 'csb preview-hosts', 'csb build']
  const all = [...sdkMethods(), ...cli]
  expect(all.filter((method) => !proved.has(method) && !(method in limits))).toEqual([])
  expect(Object.keys(limits).filter((method) => !all.includes(method) || proved.has(method))).toEqual([])
  const rows = all.map((method) => {
    const limit = limits[method]
    return `| \`${method}\` | ${limit === undefined ? 'works' : 'limited'} | ${limit ?? proved.get(method)} |`
  })
  const report = [
    '# What works of `@codesandbox/sdk` 2.4.2',
    '',
    'Written by the conformance tests, which run each method of the unmodified SDK and its command `csb` against real boxes. To write it',
    'anew: `npx vitest run --project integration conformance -u`.',
    '',
    '| method | | proved by, or why not |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
  const file = join(import.meta.dirname, '../../../../docs/sdk-conformance.md')
  const formatted = await format(report, { ...(await resolveConfig(file)), parser: 'markdown' })
  await expect(formatted).toMatchFileSnapshot(file)
})

import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { VsCodeServer, VsCodeServerError } from './VsCodeServer.ts'

/** Says what it was started with to whoever connects. */
const LISTENS = `
import { createServer } from 'node:net'
const port = Number(process.argv.find((one) => one.startsWith('--port=')).slice(7))
createServer((socket) => {
  // Whoever only looks whether somebody listens is gone by now.
  socket.on('error', () => undefined)
  socket.end(JSON.stringify({ pid: process.pid, arguments: process.argv.slice(2) }))
}).listen(port, '127.0.0.1')
`

let folder: string
const started = new Set<number>()

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'boxyard-vscode-'))
  await mkdir(join(folder, 'given', 'node', 'bin'), { recursive: true })
  await mkdir(join(folder, 'given', 'server', 'out'), { recursive: true })
  await symlink(process.execPath, join(folder, 'given', 'node', 'bin', 'node'))
  await writeFile(join(folder, 'given', 'server', 'product.json'), '{"commit":"abc"}')
  await writeFile(join(folder, 'given', 'server', 'package.json'), '{"type":"module"}')
})

afterEach(async () => {
  for (const pid of started) process.kill(pid, 'SIGKILL')
  started.clear()
  await rm(folder, { recursive: true, force: true })
})

const program = (source: string) => writeFile(join(folder, 'given', 'server', 'out', 'server-main.js'), source)
const openServer = (portWaitMs = 30_000) =>
  VsCodeServer.open({
    state: join(folder, 'state'),
    home: folder,
    workspace: folder,
    environment: () => ({ PATH: process.env['PATH'] ?? '' }),
    portWaitMs,
  })

async function told(port: number): Promise<{ pid: number; arguments: string[] }> {
  const { connectLoopback } = await import('../http/loopback.ts')
  let text = ''
  for await (const chunk of await connectLoopback(port)) text += String(chunk)
  const said = JSON.parse(text) as { pid: number; arguments: string[] }
  started.add(said.pid)
  return said
}

const listening = (port: number) =>
  new Promise<Server>((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(server))
  })

it('DS510: the VS Code server listens on a free port from 50000 to 50100, behind a token that only its user may read', async () => {
  await program(LISTENS)
  const taken = await listening(50_000).catch(() => undefined)
  try {
    const server = await openServer()
    const { port, token, commit } = await server.start(join(folder, 'given'))
    expect(port).toBeGreaterThan(50_000)
    expect(port).toBeLessThanOrEqual(50_100)
    expect(server.port).toBe(port)
    expect(commit).toBe('abc')
    const path = join(folder, 'state', 'token')
    expect(await readFile(path, 'utf8')).toBe(token)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await told(port)).arguments).toEqual(
      expect.arrayContaining(['--host=127.0.0.1', `--port=${port}`, `--connection-token-file=${path}`]),
    )
  } finally {
    taken?.close()
  }
})

it('DS511: it is started once, and another dev server goes on with it', async () => {
  await program(LISTENS)
  const first = await openServer()
  const [one, same] = await Promise.all([first.start(join(folder, 'given')), first.start(join(folder, 'given'))])
  expect(same).toEqual(one)
  const { pid } = await told(one.port)
  const next = await openServer()
  expect(next.port).toBe(one.port)
  expect(await next.start(join(folder, 'given'))).toEqual(one)
  expect((await told(one.port)).pid).toBe(pid)
})

it('DS514: one that is started anew has another token than the one that ended', async () => {
  await program(LISTENS)
  const server = await openServer()
  const { port, token } = await server.start(join(folder, 'given'))
  const { pid } = await told(port)
  process.kill(pid, 'SIGKILL')
  started.delete(pid)
  const isThere = () =>
    listening(port).then(
      (own) => void own.close(),
      () => 'listens',
    )
  await expect.poll(isThere).toBeUndefined()
  const next = await server.start(join(folder, 'given'))
  expect(next.token).not.toBe(token)
  expect(await readFile(join(folder, 'state', 'token'), 'utf8')).toBe(next.token)
  await told(next.port)
})

it('DS512: a start that fails says why', async () => {
  const refused = (start: Promise<unknown>) => expect(start).rejects
  await program('setInterval(() => {}, 1000)')
  await refused((await openServer(200)).start(join(folder, 'given'))).toThrow(
    new VsCodeServerError('Waiting for port timed out'),
  )
  await program('console.error("no room"); process.exit(3)')
  await refused((await openServer()).start(join(folder, 'given'))).toThrow(/^it ended with 3: no room$/)
  await rm(join(folder, 'given', 'server', 'product.json'))
  await refused((await openServer()).start(join(folder, 'given'))).toThrow(
    new VsCodeServerError('Could not find product.json in VSCode server.'),
  )
  await writeFile(join(folder, 'given', 'server', 'product.json'), '{"commit":"abc"}')
  await rm(join(folder, 'state'), { recursive: true })
  const server = await openServer()
  await rm(join(folder, 'state'), { recursive: true })
  const path = join(folder, 'state', 'token')
  await refused(server.start(join(folder, 'given'))).toThrow(new RegExp(`^Failed to write to ${path}: ENOENT.*\\.$`))
})

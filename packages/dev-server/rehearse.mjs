// Runs a dev server that was just bundled as a first client would have it run, so that the code it takes for that is compiled and kept.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { WebSocket } from 'ws'

const { decode, encode } = createRequire(new URL('../protocol/package.json', import.meta.url))('@msgpack/msgpack')

const BOX = 'rehearsal'
const FILE = 'index.ts'
const TEXT = 'text'

/** Writes the compiled code beside `main`. What the rehearsal did not come to is compiled when a box needs it. */
export async function rehearse(main) {
  const root = await mkdtemp(join(tmpdir(), 'boxyard-rehearsal-'))
  const socketPath = join(root, 'dev-server.sock')
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' })
  try {
    for (const folder of ['workspace', 'home']) await mkdir(join(root, folder))
    await writeFile(join(root, 'workspace', FILE), TEXT)
    const child = spawn(process.execPath, [main, '--compile'], {
      env: {
        PATH: process.env.PATH,
        HOME: join(root, 'home'),
        BOXYARD_BOX_ID: BOX,
        BOXYARD_EPOCH: '1',
        BOXYARD_BOOT: 'CLEAN',
        BOXYARD_WORKSPACE: join(root, 'workspace'),
        BOXYARD_STATE: join(root, 'state'),
        BOXYARD_SOCKET: socketPath,
        BOXYARD_PUBLIC_KEY: JSON.stringify(await exportJWK(publicKey)),
        BOXYARD_PREVIEW_HOST: '{id}-{port}.preview.boxyard.localhost',
      },
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    const exited = once(child, 'exit')
    const said = []
    const listens = new Promise((resolve) => {
      createInterface({ input: child.stderr }).on('line', (line) => {
        said.push(line)
        if (line.includes('The dev server listens')) resolve()
      })
    })
    // An end of the program is told below.
    await Promise.race([listens, exited])
    if (child.exitCode === null) {
      const claims = { aud: BOX, sub: 'user', epoch: 1, access: 'write', username: 'ada', name: 'Ada', avatarUrl: null }
      const token = await new SignJWT({ ...claims, exp: Math.floor(Date.now() / 1000) + 600 })
        .setProtectedHeader({ alg: 'EdDSA' })
        .sign(privateKey)
      await visit(`ws+unix:${socketPath}:/?token=${token}`, join(root, 'workspace', FILE)).catch((error) =>
        console.warn(`The dev server was rehearsed in part only: ${error.message}`),
      )
    }
    child.stdin.on('error', () => undefined)
    child.stdin.end()
    const [code] = await exited
    if (code !== 0)
      console.warn(`The dev server is compiled by each box, as it could not be rehearsed:\n${said.join('\n')}`)
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

/** Does what an editor does until somebody types and saves. */
async function visit(address, path) {
  const socket = new WebSocket(address)
  await once(socket, 'open')
  const waiting = new Map()
  const left = once(socket, 'close').then(() => {
    for (const { reject } of waiting.values()) reject(new Error('the connection was closed'))
  })
  socket.on('message', (data, isBinary) => {
    if (!isBinary) return
    const { id, result, error } = decode(data)
    if (id === undefined) return
    if (error) waiting.get(id).reject(new Error(error.message))
    else waiting.get(id).resolve(result)
    waiting.delete(id)
  })
  let next = 0
  const call = (method, params) =>
    new Promise((resolve, reject) => {
      const id = next++
      waiting.set(id, { resolve, reject })
      socket.send(encode({ id, method, params }))
    })
  try {
    await call('client/join', {
      clientInfo: { protocolVersion: '0.367.10', appId: 'rehearsal' },
      asyncProgress: true,
      subscriptions: {
        client: { status: true },
        file: { status: true, selection: true, ot: true },
        fs: { operations: true },
        git: { status: true, operations: true },
        port: { status: true },
        setup: { progress: true },
        shell: { status: true },
        system: { metrics: true },
      },
    })
    for (const method of [
      'fs/read',
      'setup/get',
      'task/list',
      'port/list',
      'shell/list',
      'client/list',
      'git/status',
    ]) {
      await call(method, method === 'fs/read' ? null : {})
    }
    const { id, document } = await call('file/openByPath', { path })
    await call('file/documentSelection', { id, selection: [{ anchor: 0, head: 0 }] })
    await call('file/documentOperation', { id, operation: ['typed ', TEXT.length], revision: document.revision })
    await call('file/save', { id })
    const { shellId } = await call('shell/create', { command: 'true', type: 'COMMAND' })
    await call('shell/terminate', { shellId })
  } finally {
    socket.close()
    await left
  }
}

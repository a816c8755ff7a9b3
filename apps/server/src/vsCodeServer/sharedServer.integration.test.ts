import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { installedName } from './installVsCodeServer.ts'
import { SharedServer } from './sharedServer.ts'

// A box that sees no folder of the server, as virtual machines are.

let folder: string
let box: Server
let asked: string[]
/** What the box answers to a server that it is sent. */
let refusal: string | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'boxyard-shared-'))
  await mkdir(join(folder, 'shared', installedName, 'server'), { recursive: true })
  await writeFile(join(folder, 'shared', installedName, 'server', 'main.js'), 'started'.repeat(100_000))
  await mkdir(join(folder, 'in-box'))
  asked = []
  refusal = undefined
  let isThere = false
  box = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    const answer = (status: number, body: object) => response.writeHead(status).end(JSON.stringify(body))
    const there = () => answer(200, { folder: '/home/box/server' })
    if (request.method === 'GET') return isThere ? there() : answer(404, {})
    void unpack(request).then(() => {
      if (refusal !== undefined) return answer(409, { error: refusal })
      isThere = true
      return there()
    })
  }).listen(join(folder, 'socket'))
  await once(box, 'listening')
})
afterEach(async () => {
  box.close()
  await rm(folder, { recursive: true, force: true })
})

async function unpack(archive: IncomingMessage): Promise<void> {
  const tar = spawn('tar', ['-x', '-C', join(folder, 'in-box'), '-f', '-'], { stdio: ['pipe', 'ignore', 'ignore'] })
  // It may end at the end of the archive, before it has read what only fills the last block.
  tar.stdin.on('error', () => archive.resume())
  archive.pipe(tar.stdin)
  await once(tar, 'close')
}

const connect = async () => {
  const socket = createConnection(join(folder, 'socket'))
  await once(socket, 'connect')
  return socket
}
const none = { tarball: () => Promise.reject(new Error('it is installed')) }
const server = (inBox: string | null) => new SharedServer(join(folder, 'shared'), inBox, none)

it('AP912: a box that sees no folder of the server is sent the VS Code server, once', async () => {
  const shared = server(null)
  const there = { folder: '/home/box/server' }
  expect(await Promise.all([shared.inBox('a', connect), shared.inBox('a', connect)])).toEqual([there, there])
  const name = `/vscode-server?name=${installedName}`
  expect(asked).toEqual([`GET ${name}`, `PUT ${name}`])
  const sent = await readFile(join(folder, 'in-box', 'server', 'main.js'), 'utf8')
  expect(sent).toBe('started'.repeat(100_000))
  expect(await shared.inBox('a', connect)).toEqual(there)
  expect(asked.slice(2)).toEqual([`GET ${name}`])
})

it('AP912: a box that can not take it says why, and is asked again', async () => {
  const shared = server(null)
  refusal = 'The VS Code server could not be put into the box: No space left on device'
  expect(await shared.inBox('a', connect)).toEqual({ error: refusal })
  refusal = undefined
  expect(await shared.inBox('a', connect)).toEqual({ folder: '/home/box/server' })
})

it('AP912: a box that sees the folder is sent nothing', async () => {
  expect(await server('/opt/shared').inBox('a', connect)).toEqual({ folder: `/opt/shared/${installedName}` })
  expect(asked).toEqual([])
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, request, type IncomingMessage, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createRequestListener, type InternalHttpOptions } from '../http/internalHttp.ts'
import { ReceivedServer } from './ReceivedServer.ts'

let folder: string
let server: Server
const received = () => join(folder, 'home', 'received')

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'boxyard-received-'))
  await mkdir(join(folder, 'given', 'out'), { recursive: true })
  await writeFile(join(folder, 'given', 'out', 'main.js'), 'x'.repeat(1_000_000))
  const options = { receivedServer: new ReceivedServer(received()), log: { error: () => undefined } }
  server = createServer(createRequestListener(options as unknown as InternalHttpOptions))
  server.listen(join(folder, 'socket'))
  await once(server, 'listening')
})
afterEach(async () => {
  server.close()
  await rm(folder, { recursive: true, force: true })
})

/** Asks as the platform does; what is written may stop in the middle. */
async function ask(
  method: string,
  name: string,
  write: (to: Writable) => void,
): Promise<{ status: number; body: unknown }> {
  const path = `/vscode-server?${new URLSearchParams({ name })}`
  const sent = request({ socketPath: join(folder, 'socket'), method, path })
  write(sent)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk)
  return { status: response.statusCode ?? 0, body: JSON.parse(text) }
}
const find = (name: string) => ask('GET', name, (to) => to.end())
const archive = () => spawn('tar', ['-c', '-C', join(folder, 'given'), '-f', '-', '.']).stdout
const put = (name: string, content: Readable = archive()) => ask('PUT', name, (to) => content.pipe(to))

it('DS513: a VS Code server that is sent to the box is there, once, and takes the place of former ones', async () => {
  expect((await find('1.0')).status).toBe(404)
  const there = { status: 200, body: { folder: join(received(), '1.0') } }
  expect(await Promise.all([put('1.0'), put('1.0')])).toEqual([there, there])
  expect(await find('1.0')).toEqual(there)
  expect(await readdir(received())).toEqual(['1.0'])
  expect((await readFile(join(received(), '1.0', 'out', 'main.js'))).length).toBe(1_000_000)
  expect((await put('1.1')).status).toBe(200)
  expect(await readdir(received())).toEqual(['1.1'])
  for (const name of ['', '..', 'a/b', '.draft-x']) expect((await put(name)).status).toBe(400)
})

it('DS513: what is no archive is refused with the reason, and leaves nothing', async () => {
  const refused = await put('1.0', Readable.from([Buffer.alloc(3_000_000, 'nothing')]))
  expect(refused).toMatchObject({
    status: 409,
    body: { error: expect.stringMatching(/^The VS Code server could not be put into the box: .*tar/) },
  })
  expect(await readdir(received())).toEqual([])
})

it('DS513: one whose sender goes away in the middle is not there', async () => {
  const arrived = once(server, 'request') as Promise<[IncomingMessage]>
  const path = '/vscode-server?name=1.0'
  const sent = request({ socketPath: join(folder, 'socket'), method: 'PUT', path }).on('error', () => undefined)
  sent.write((await archive().toArray()).at(0))
  const [arriving] = await arrived
  const gone = new Promise<void>((resolve) => void arriving.once('close', resolve))
  sent.destroy()
  await gone
  await expect.poll(() => readdir(received())).toEqual([])
  expect((await find('1.0')).status).toBe(404)
})

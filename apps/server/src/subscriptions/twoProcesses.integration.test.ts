import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { valueOf } from '../testing/ask.ts'
import { TestBrowser } from '../testing/browser.ts'
import { temporaryFolder } from '../testing/folders.ts'
import { runServer } from '../testing/program.ts'
import type { Program } from '../testing/program.ts'
import { freePort, startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'
import { connectSocket } from '../testing/socketClient.ts'
import type { SocketClient } from '../testing/socketClient.ts'

const home = temporaryFolder('neighbour')
let server: TestServer
let neighbour: Program
let here: TestBrowser
let there: TestBrowser
const clients: SocketClient[] = []

beforeAll(async () => {
  server = await startTestServer()
  here = await server.signedIn('ada')
  const port = await freePort()
  neighbour = runServer({
    BOXYARD_HOME: home,
    PORT: String(port),
    DATABASE_URL: server.database.url,
    BOXYARD_NPM_REGISTRY: 'http://registry.test',
    BOXYARD_PIP_INDEX: 'http://index.test/simple',
  })
  const origin = `http://app.boxyard.localhost:${port}`
  await neighbour.says(`Boxyard is at ${origin}`)
  there = new TestBrowser(origin, port)
  for (const [name, value] of here.cookies) there.cookies.set(name, value)
  clients.push(await connectSocket(server, here), await connectSocket({ origin, port }, there))
})
afterAll(async () => {
  for (const client of clients) client.close()
  neighbour.kill('SIGTERM')
  await neighbour.exited
  await server.close()
  rmSync(home, { recursive: true, force: true })
})

it('AP705: what is changed by one process reaches the followers of another one, both ways', async () => {
  const files = { 'index.js': { content: '1' } }
  const { body } = await here.call('POST', '/api/v1/sandboxes/define?json=1', { files })
  const id = (body as { sandbox_id: string }).sandbox_id
  const document = `subscription { sandboxChanged(sandboxId: "${id}") { title } }`
  const following = await Promise.all(clients.map((client) => client.follow(document)))
  for (const [title, browser] of [
    ['Changed here', here],
    ['Changed there', there],
  ] as const) {
    await valueOf(browser, `mutation { renameSandbox(id: "${id}", title: "${title}") { id } }`)
    for (const each of following) expect(await each.next()).toEqual({ data: { sandboxChanged: { title } } })
  }
})

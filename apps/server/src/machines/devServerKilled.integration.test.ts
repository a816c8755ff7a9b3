import { chmodSync } from 'node:fs'
import { DevServerClient } from '@boxyard/dev-server-client'
import type { ConnectionState, TextFile } from '@boxyard/dev-server-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { templateId } from '../sandboxes/templates.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { askPreview, previewToken } from '../testing/preview.ts'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'
import { writeTemplates } from '../testing/templates.ts'
import { createMachines } from './createMachines.ts'

const serve = `exec node -e 'require("http").createServer((q, a) => a.end("it lives")).listen(3000)'`
const templates = writeTemplates(
  { serving: { title: 'Its task serves', description: '', tags: [] } },
  {
    serving: {
      setupTasks: [],
      tasks: { dev: { name: 'Dev server', command: serve, runAtStart: true, preview: { port: 3000 } } },
    },
  },
)
const startSchema = z.object({
  data: z.object({
    id: z.string(),
    bootup_type: z.enum(['RUNNING', 'RESUME', 'CLEAN', 'FORK']),
    pitcher_token: z.string(),
    workspace_path: z.string(),
  }),
})

let server: TestServer
let owner: TestBrowser

beforeAll(async () => {
  chmodSync(templates.folder, 0o755)
  server = await startTestServer({}, { machines: createMachines, templatesFolder: templates.folder })
  owner = await server.signedIn('owner')
})
afterAll(async () => {
  await server.close()
  templates.remove()
})

/** A client as the editor has one: it asks for the machine at every connect. */
function editorOf(id: string, boots: string[]): DevServerClient {
  return new DevServerClient({
    appId: 'test',
    async resolveInstance() {
      const { data } = startSchema.parse((await owner.call('POST', `/api/vm/${id}/start`)).body)
      boots.push(data.bootup_type)
      return {
        id: data.id,
        url: `ws://127.0.0.1:${server.port}/box/${id}`,
        token: data.pitcher_token,
        workspacePath: data.workspace_path,
        bootType: data.bootup_type,
      }
    },
    createSocket: (url) => new WebSocket(url, { headers: { host: new URL(server.origin).host } }),
  })
}

function reached(client: DevServerClient, kind: ConnectionState['kind']): Promise<void> {
  return new Promise((resolve) => {
    client.connection.onDidChangeState((state) => state.kind === kind && resolve())
  })
}

async function openText(client: DevServerClient): Promise<TextFile> {
  const file = await client.files.open('kept.txt')
  if (file.kind !== 'text') throw new Error('not a text')
  return file
}

async function synced(file: TextFile): Promise<void> {
  while (file.syncState !== 'SYNCED') {
    await new Promise<void>((resolve) => void file.onDidChangeSync(() => resolve()))
  }
}

async function previewLives(id: string): Promise<void> {
  const token = await previewToken(owner, id)
  while ((await askPreview(server, { id, port: 3000, token, path: '/', method: 'GET' })).text !== 'it lives');
}

it('BX726: editors come back by themselves when their dev server is killed, to the same run, with what they typed', async () => {
  const { body } = await owner.call('POST', `/api/v1/sandboxes/${templateId('serving')}/fork`, { v2: true })
  const { id } = (body as { data: { id: string } }).data
  const boots: string[] = []
  const ada = editorOf(id, boots)
  const grace = editorOf(id, [])
  try {
    await Promise.all([ada.connect(), grace.connect()])
    await ada.fs.writeFile('kept.txt', new TextEncoder().encode('hello'), { create: true, overwrite: true })
    const [mine, theirs] = await Promise.all([openText(ada), openText(grace)])
    mine.edit([5, ' before'])
    await synced(mine)
    await previewLives(id)
    const who = [ada, grace].map((client) => client.clients.self?.clientId)
    const told = new Promise<string>((resolve) => ada.notifications.onDidNotify(({ message }) => resolve(message)))
    const terminal = await ada.shells.create({})
    let screen = ''
    const saysAgain = new Promise<void>((resolve) => {
      terminal.onData((text) => {
        screen += text
        if (screen.includes('The dev server had ended and was started again.')) resolve()
      })
    })

    const away = Promise.all([reached(ada, 'RECONNECTING'), reached(grace, 'RECONNECTING')])
    const back = Promise.all([reached(ada, 'CONNECTED'), reached(grace, 'CONNECTED')])
    await Promise.allSettled([terminal.write('kill -9 $PPID\n')])
    await away
    mine.edit([12, ' and while it was away'])
    await back
    await synced(mine)
    while (theirs.text !== 'hello before and while it was away') {
      await new Promise<void>((resolve) => void theirs.onDidApplyRemote(() => resolve()))
    }
    await saysAgain
    expect(await told).toContain('The dev server was started again')
    expect([ada, grace].map((client) => client.clients.self?.clientId)).toEqual(who)
    expect(boots.at(-1)).toBe('RUNNING')
    await mine.save()
    expect(new TextDecoder().decode(await grace.fs.readFile('kept.txt'))).toBe(mine.text)
    await previewLives(id)
  } finally {
    ada.dispose()
    grace.dispose()
  }
})

import { chmodSync } from 'node:fs'
import { request } from 'node:http'
import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { branches, projects } from '../database/schema.ts'
import { describeMachines, hibernateAll, updateAll } from '../operatorCommands.ts'
import { templateId } from '../sandboxes/templates.ts'
import { valueOf } from '../testing/ask.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { askPreview, previewToken } from '../testing/preview.ts'
import { joinEditor, type JoinedEditor } from '../testing/joinEditor.ts'
import { freePort, startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'
import { connectSocket } from '../testing/socketClient.ts'
import { writeTemplates } from '../testing/templates.ts'
import { createMachines } from './createMachines.ts'

const dev = (command: string) => ({ dev: { name: 'Dev server', command, runAtStart: true, preview: { port: 3000 } } })
const serve = `exec node -e 'require("http").createServer((q, a) => a.end("it lives")).listen(3000)'`
/** Answers visits, and takes WebSockets that it never says anything on. */
const serveSockets = `exec node -e '${[
  'const accept = "HTTP/1.1 101 Switching Protocols\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\n\\r\\n"',
  'require("http").createServer((q, a) => a.end("it lives")).on("upgrade", (q, s) => s.write(accept)).listen(3000)',
].join('; ')}'`
const templates = writeTemplates(
  {
    'bad-set-up': { title: 'Its set-up fails', description: '', tags: [] },
    'bad-task': { title: 'Its task ends at once', description: '', tags: [] },
    'good-task': { title: 'Its task serves', description: '', tags: [] },
    'says-variable': { title: 'It says what it was given', description: '', tags: [] },
  },
  {
    'bad-set-up': {
      setupTasks: [{ name: 'Install', command: 'echo no such package; exit 3' }],
      tasks: dev(serve),
    },
    'good-task': { setupTasks: [], tasks: dev(serveSockets) },
    'says-variable': {
      setupTasks: [
        {
          name: 'Make a repository',
          command: 'git init -q -b main && git -c user.name=A -c user.email=a@a commit -qm First --allow-empty',
        },
      ],
      tasks: dev(
        `exec node -e 'require("http").createServer((q, a) => a.end(process.env.GREETING + process.env.HTTP_PROXY)).listen(3000)'`,
      ),
    },
    'bad-task': {
      setupTasks: [],
      tasks: dev(`test -f /tmp/go || { echo no such module; touch /tmp/go; exit 1; }; ${serve}`),
    },
  },
)

let server: TestServer
let owner: TestBrowser
let stranger: TestBrowser

beforeAll(async () => {
  chmodSync(templates.folder, 0o755)
  server = await startTestServer({}, { machines: createMachines, templatesFolder: templates.folder })
  owner = await server.signedIn('owner')
  stranger = await server.signedIn('stranger')
})
afterAll(async () => {
  await server.close()
  templates.remove()
})

async function createDevbox(template: string): Promise<string> {
  const { body } = await owner.call('POST', `/api/v1/sandboxes/${templateId(template)}/fork`, { v2: true })
  return (body as { data: { id: string } }).data.id
}

/** An editor of this person on the running machine of a devbox. */
async function joinedEditor(person: TestBrowser, id: string): Promise<JoinedEditor> {
  const { body } = await person.call('POST', `/api/vm/${id}/start`)
  return joinEditor(server, id, (body as { data: { pitcher_token: string } }).data.pitcher_token)
}

/** Asks the preview of port 3000. */
function preview(id: string, token: string, path = '/', method = 'GET'): Promise<{ status: number; text: string }> {
  return askPreview(server, { id, port: 3000, token, path, method })
}

/** What the operator sees of a machine, or undefined when it is not in memory. */
async function machineOf(id: string): Promise<{ state: string; last_used_at: string } | undefined> {
  const { body } = await owner.call('GET', '/api/v1/admin/machines')
  const { machines } = (body as { data: { machines: { id: string; state: string; last_used_at: string }[] } }).data
  return machines.find((machine) => machine.id === id)
}

/** Looks until the preview answers with `status` and says `wanted`. */
async function previewSays(id: string, token: string, status: number, wanted: string): Promise<string> {
  for (;;) {
    const answer = await preview(id, token)
    if (answer.status === status && answer.text.includes(wanted)) return answer.text
  }
}

/** The status of the answer to an upgrade. */
async function upgrade(path: string): Promise<number> {
  const { status, socket } = await openUpgrade(path, { host: new URL(server.origin).host })
  socket?.destroy()
  return status
}

/** A WebSocket of the page on port 3000. */
async function previewSocket(id: string, token: string): Promise<Duplex> {
  const host = new URL(server.origin).host.replace(/^app\./, `${id}-3000.preview.`)
  const { status, socket } = await openUpgrade('/', { host, 'csb-preview-token': token })
  if (socket === null) throw new Error(`the preview answered ${status}`)
  return socket.resume()
}

function openUpgrade(path: string, given: Record<string, string>): Promise<{ status: number; socket: Duplex | null }> {
  const headers = {
    ...given,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  }
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: server.port, path, headers, agent: false })
      .on('response', (answer) => resolve({ status: answer.resume().statusCode ?? 0, socket: null }))
      .on('upgrade', (answer, socket) => resolve({ status: answer.statusCode ?? 0, socket }))
      .on('error', reject)
      .end()
  })
}

describe('a devbox that is not there, or not for this person', () => {
  it('can not be told apart, and says what to do', async () => {
    const id = await createDevbox('bad-task')
    const missing = await stranger.call('POST', '/api/vm/zzzzzz/start')
    expect(missing).toMatchObject({
      status: 404,
      body: { errors: ['This sandbox is not found'], code: 'NOT_FOUND', next: expect.any(String) },
    })
    for (const who of [stranger, server.browser()]) {
      for (const [method, path] of [
        ['POST', 'start'],
        ['GET', 'log'],
        ['GET', 'start/progress'],
      ] as const) {
        const answer = await who.call(method, `/api/vm/${id}/${path}`)
        expect([answer.status, answer.body]).toEqual([404, missing.body])
      }
    }
    expect(await owner.call('GET', `/api/vm/${id}/log`)).toMatchObject({ status: 200, body: { data: { log: '' } } })
  })

  it('lets nobody in with a token that is not valid, of another devbox or of an earlier run', async () => {
    const [id, other] = [await createDevbox('bad-task'), await createDevbox('bad-task')]
    const started = await owner.call('POST', `/api/vm/${id}/start`)
    const { pitcher_token: token } = (started.body as { data: { pitcher_token: string } }).data
    expect(await upgrade(`/box/${id}?token=${token}`)).toBe(101)
    expect(await upgrade(`/box/${id}?token=nonsense`)).toBe(401)
    expect(await upgrade(`/box/${id}`)).toBe(401)
    expect(await upgrade(`/box/${other}?token=${token}`)).toBe(401)
    const refused = await preview(id, 'nonsense')
    expect([refused.status, refused.text.includes('Open it with your account')]).toEqual([401, true])
    expect((await preview(id, await previewToken(owner, other))).status).toBe(401)

    expect((await owner.call('POST', `/api/vm/${id}/shutdown`)).status).toBe(200)
    expect(await upgrade(`/box/${id}?token=${token}`)).toBe(410)
  })
})

describe('the VS Code server of a devbox', () => {
  it('AP910: is for who may run programs there, and is told of where it could not be started', async () => {
    const id = await createDevbox('bad-task')
    await owner.call('POST', `/api/vm/${id}/start`)
    const path = `/api/vm/${id}/vscode-server`
    expect((await server.browser().call('POST', path)).status).toBe(401)
    expect((await stranger.call('POST', path)).status).toBe(404)
    await owner.call('PATCH', `/api/v1/sandboxes/${id}/privacy`, { sandbox: { privacy: 0 } })
    expect((await stranger.call('POST', path)).status).toBe(403)
  })

  it('AP911: is reached by those who may write alone, and no other port that way', async () => {
    const id = await createDevbox('good-task')
    await owner.call('PATCH', `/api/v1/sandboxes/${id}/privacy`, { sandbox: { privacy: 0 } })
    const token = async (who: TestBrowser) => {
      const started = await who.call('POST', `/api/vm/${id}/start`)
      return (started.body as { data: { pitcher_token: string } }).data.pitcher_token
    }
    const [own, foreign] = [await token(owner), await token(stranger)]
    expect(await upgrade(`/box/${id}/vscode/50000?token=nonsense`)).toBe(401)
    expect(await upgrade(`/box/${id}/vscode/50000?token=${foreign}`)).toBe(403)
    // Nothing listens there.
    expect(await upgrade(`/box/${id}/vscode/50000?token=${own}`)).toBe(502)
    expect(await upgrade(`/box/${id}/vscode/3000?token=${own}`)).toBe(404)
  })
})

describe('an editor that is connected', () => {
  it('leaves when it may do less, and its token is good for nothing any more', async () => {
    const id = await createDevbox('bad-task')
    await owner.call('PATCH', `/api/v1/sandboxes/${id}/privacy`, { sandbox: { privacy: 0 } })
    const [writer, visitor] = [await joinedEditor(owner, id), await joinedEditor(stranger, id)]
    expect(await upgrade(writer.path)).toBe(101)

    await owner.call('PUT', `/api/v1/sandboxes/${id}`, { sandbox: { is_frozen: true } })
    await writer.closed
    expect(await upgrade(writer.path)).toBe(401)
    const reader = await joinedEditor(owner, id)
    await owner.call('PUT', `/api/v1/sandboxes/${id}`, { sandbox: { is_frozen: false } })
    expect(await reader.told('client/permissions')).toMatchObject({ permissions: { file: { save: true } } })

    await owner.call('PATCH', `/api/v1/sandboxes/${id}/privacy`, { sandbox: { privacy: 2 } })
    await visitor.closed
    expect(await upgrade(visitor.path)).toBe(401)
    const left = { clientId: visitor.clientId, reason: 'AuthorizationChanged' }
    expect(await reader.told('client/disconnected', (params) => params.clientId === visitor.clientId)).toEqual(left)
    reader.close()
  })

  it('tells what the machine may take, not what its host has', async () => {
    const id = await createDevbox('bad-task')
    const editor = await joinedEditor(owner, id)
    const { memory, storage } = (await editor.call('system/metrics')) as {
      memory: { used: number; configured: number }
      storage: { used: number; configured: number }
    }
    expect(memory.used).toBeGreaterThan(0)
    expect(storage.configured).toBeCloseTo((20_480 * 1024 ** 2) / 1000 ** 3, 2)
    // The host's disk holds this repository at least, the box's only what was made in it.
    expect(storage.used).toBeLessThan(0.1)
    editor.close()
  })

  it('puts the machine to sleep', async () => {
    const id = await createDevbox('bad-task')
    const editor = await joinedEditor(owner, id)
    expect(await editor.call('system/hibernate')).toBeNull()
    expect(await editor.told('system/hibernate')).toEqual({})
    await editor.closed
    const asleep = async () => {
      const { body } = await owner.call('GET', '/api/v1/admin/machines')
      return (body as { data: { machines: { id: string; state: string }[] } }).data.machines.find(
        (one) => one.id === id,
      )
    }
    while ((await asleep())?.state === 'running') await owner.call('GET', '/api/v1/admin/machines')
    expect([undefined, 'hibernated']).toContain((await asleep())?.state)
  })
})

describe('AP806: the variables of a devbox', () => {
  it('are in the environment of its machine, where they take the place of nothing that the platform says', async () => {
    const id = await createDevbox('says-variable')
    const set = (name: string, value: string) =>
      owner.call('POST', `/api/v1/sandboxes/${id}/env`, { environment_variable: { name, value } })
    expect((await set('GREETING', 'good day to ')).status).toBe(200)
    for (const name of ['PATH', 'NODE_OPTIONS', 'LD_PRELOAD', 'https_proxy', 'BOXYARD_SOCKET']) {
      expect((await set(name, '/nowhere')).status).toBe(422)
    }
    await owner.call('POST', `/api/vm/${id}/start`)
    const token = await previewToken(owner, id)
    expect(await previewSays(id, token, 200, 'good day to ')).toBe('good day to http://127.0.0.1:16380')
  })
})

describe('AP805: who has a branch open', () => {
  it('is told to those who follow its repository, as they come and go', async () => {
    const id = await createDevbox('says-variable')
    const me = '{ me { id personalWorkspaceId } }'
    const { id: userId, personalWorkspaceId: teamId } = await valueOf<{ id: string; personalWorkspaceId: string }>(
      owner,
      me,
    )
    const project = { id: randomUUID(), provider: 'github', owner: 'acme', name: 'shop', teamId } as const
    const repository = { private: false, defaultBranch: 'main' }
    await server.context.database.insert(projects).values({ ...project, repository })
    await server.context.database.insert(branches).values({ id, projectId: project.id, name: 'main' })
    const client = await connectSocket(server, owner)
    const connection = 'connections { clientId color timestamp user { id } }'
    const following = await client.follow(
      `subscription { projectConnections(owner: "acme", repo: "shop") { branchId ${connection} } }`,
    )
    const said = async () =>
      ((await following.next()).data as { projectConnections: { branchId: string; connections: object[] } })
        .projectConnections
    const editor = await joinedEditor(owner, id)
    const one = { clientId: expect.any(String), color: '#FFE500', timestamp: expect.any(String), user: { id: userId } }
    expect(await said()).toEqual({ branchId: id, connections: [one] })
    const query = `{ project(owner: "acme", repo: "shop", team: "${teamId}") { ${connection} branches { ${connection} } } }`
    const answer = { connections: [one], branches: [{ connections: [one] }] }
    expect(await valueOf(owner, query)).toEqual(answer)
    const { body } = await stranger.call('POST', '/api/graphql', { query })
    expect(JSON.stringify(body)).not.toContain(userId)
    const status = 'status { hasChanges hasConflicts remote { ahead } }'
    const followingStatus = await client.follow(
      `subscription { projectStatus(owner: "acme", repo: "shop") { branchId ${status} } }`,
    )
    editor.close()
    expect(await said()).toEqual({ branchId: id, connections: [] })
    // What the git of the box says is kept when the last one leaves. The files of the template were never committed.
    const kept = { status: { hasChanges: true, hasConflicts: false, remote: { ahead: expect.any(Number) } } }
    expect(await followingStatus.next()).toEqual({ data: { projectStatus: { branchId: id, ...kept } } })
    expect(await valueOf(owner, `{ branchById(id: "${id}") { ${status} } }`)).toEqual(kept)
    expect(await valueOf(owner, query)).toEqual({ connections: [], branches: [{ connections: [] }] })
    client.close()
  })
})

describe('sleep', () => {
  it('keeps the run, and a visit to a preview wakes it', async () => {
    const id = await createDevbox('bad-task')
    const token = await previewToken(owner, id)
    await previewSays(id, token, 502, 'Dev server ended with an error')
    expect((await stranger.call('POST', `/api/vm/${id}/hibernate`)).status).toBe(404)
    expect((await owner.call('POST', `/api/vm/${id}/hibernate`)).status).toBe(200)
    const asleep = (await owner.call('GET', '/api/v1/admin/machines')).body as { data: { machines: object[] } }
    expect(asleep.data.machines).toContainEqual(expect.objectContaining({ id, state: 'hibernated' }))
    await previewSays(id, token, 502, 'Dev server ended with an error')
    expect((await owner.call('POST', `/api/vm/${id}/start`)).body).toMatchObject({ data: { bootup_type: 'RUNNING' } })
  })

  it('BX432: ends with a visit, a WebSocket of a preview or an editor, and says so truly', async () => {
    const bootType = async (id: string) =>
      ((await owner.call('POST', `/api/vm/${id}/start`)).body as { data: { bootup_type: string } }).data.bootup_type
    const id = await createDevbox('good-task')
    expect(await bootType(id)).toMatch(/CLEAN|FORK/)
    expect(await bootType(id)).toBe('RUNNING')
    const token = await previewToken(owner, id)
    await previewSays(id, token, 200, 'it lives')
    const sleep = async () => expect((await owner.call('POST', `/api/vm/${id}/hibernate`)).status).toBe(200)

    await sleep()
    expect((await machineOf(id))?.state).toBe('hibernated')
    expect(await bootType(id)).toBe('RESUME')
    await sleep()
    expect((await preview(id, token)).text).toBe('it lives')
    expect((await machineOf(id))?.state).toBe('running')
    await sleep()
    const socket = await previewSocket(id, token)
    expect((await machineOf(id))?.state).toBe('running')
    expect(await bootType(id)).toBe('RUNNING')
    // Nobody would answer on it any more.
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await sleep()
    await closed
    await owner.call('POST', `/api/vm/${id}/shutdown`)
    expect(await machineOf(id)).toBeUndefined()
    expect(await bootType(id)).toBe('RESUME')
    const restarted = await owner.call('POST', `/api/vm/${id}/restart`)
    expect(restarted.body).toMatchObject({ data: { bootup_type: 'CLEAN' } })
    const { body } = await owner.call('POST', `/api/v1/sandboxes/${id}/fork`, { v2: true })
    expect(await bootType((body as { data: { id: string } }).data.id)).toBe('FORK')
  })

  it('BX433: waits while an editor or the socket of a preview is open', async () => {
    const id = await createDevbox('good-task')
    const editor = await joinedEditor(owner, id)
    const token = await previewToken(owner, id)
    await previewSays(id, token, 200, 'it lives')
    /** Whether it counts as used now, without anybody doing anything. */
    const isInUse = async (): Promise<boolean> => {
      const first = await machineOf(id)
      for (;;) {
        const next = await machineOf(id)
        if (next?.last_used_at !== first?.last_used_at) return true
        // So much time has passed that it would have counted.
        if (Date.now() - Date.parse(first?.last_used_at ?? '') > 100) return false
      }
    }
    expect(await isInUse()).toBe(true)
    const socket = await previewSocket(id, token)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    editor.close()
    await editor.closed
    expect(await isInUse()).toBe(true)
    socket.destroy()
    await closed
    while (await isInUse());
    expect(await isInUse()).toBe(false)
  })

  it('is for all machines at once, by administrators only', async () => {
    const id = await createDevbox('bad-task')
    await owner.call('POST', `/api/vm/${id}/start`)
    for (const [method, path] of [
      ['GET', '/api/v1/admin/machines'],
      ['POST', '/api/v1/admin/machines/hibernate'],
      ['POST', `/api/v1/admin/machines/${id}/hibernate`],
      ['POST', '/api/v1/admin/machines/update'],
    ] as const) {
      expect((await stranger.call(method, path)).status).toBe(403)
      expect((await server.browser().call(method, path)).status).toBe(401)
    }
    const listed = (await owner.call('GET', '/api/v1/admin/machines')).body as {
      data: { machines: { id: string; state: string; usage: { memory_bytes: number } | null }[] }
    }
    const own = listed.data.machines.find((machine) => machine.id === id)
    expect(own?.state).toBe('running')
    expect(own?.usage?.memory_bytes).toBeGreaterThan(1_000_000)
    const { body } = await owner.call('POST', '/api/v1/admin/machines/hibernate')
    expect((body as { data: { hibernated: string[] } }).data.hibernated).toContain(id)
    expect((await owner.call('POST', `/api/vm/${id}/start`)).body).toMatchObject({ data: { bootup_type: 'RESUME' } })
  })
})

describe('the commands on the machine of the server', () => {
  const place = () => ({ home: server.context.configuration.home, port: server.port })

  it('list the devboxes that cost something, and put all to sleep', async () => {
    const id = await createDevbox('bad-task')
    await owner.call('POST', `/api/vm/${id}/start`)
    expect(await describeMachines(place())).toMatch(new RegExp(`^${id} +running +\\d+ MiB +\\d+ MiB +\\d+ +20`, 'm'))
    expect(await hibernateAll(place())).toMatch(/ now\. Each wakes up when somebody opens it\.$/)
    expect(await describeMachines(place())).toMatch(new RegExp(`^${id} +hibernated `, 'm'))
    expect(await hibernateAll(place())).toBe('No devbox was running.')
  })

  it('BX863: give every devbox that is awake the installed dev server, and what runs in it runs on', async () => {
    await hibernateAll(place())
    expect(await updateAll(place())).toMatch(/^No devbox was running\./)
    const id = await createDevbox('good-task')
    const editor = await joinedEditor(owner, id)
    await editor.call('shell/create', { command: 'sleep 1000' })
    expect(await updateAll(place())).toBe(
      '1 of 1 running devboxes have the installed dev server now. Their terminals run on.',
    )
    await editor.closed
    const next = await joinedEditor(owner, id)
    // One that was started again because it had ended would have killed it.
    expect(await next.call('shell/list')).toMatchObject({
      shells: expect.arrayContaining([expect.objectContaining({ name: 'sleep 1000', status: 'RUNNING' })]),
    })
    next.close()
  })

  it('say what to do when they reach no server', async () => {
    const port = await freePort()
    await expect(describeMachines({ ...place(), port })).rejects.toThrow(`No server answers on port ${port}.`)
    await expect(hibernateAll({ ...place(), home: '/nowhere' })).rejects.toThrow(
      'No server has run with the data folder /nowhere.',
    )
  })
})

describe('the manager of machines', () => {
  it('BX434: says which versions machines have that start now', async () => {
    const anybody = server.browser()
    const { body } = await owner.call('POST', `/api/vm/${await createDevbox('good-task')}/start`)
    const { data } = body as { data: { latest_pitcher_version: string; pitcher_manager_version: string } }
    for (const path of ['/versions', '/api/versions']) {
      expect((await anybody.call('GET', path)).body).toEqual({
        pitcher: data.latest_pitcher_version,
        pitcherManager: data.pitcher_manager_version,
      })
    }
  })
})

describe('the page of a preview', () => {
  it('says that a task ended, with its last lines, and starts it again', async () => {
    const id = await createDevbox('bad-task')
    const token = await previewToken(owner, id)
    const page = await previewSays(id, token, 502, 'Dev server ended with an error')
    expect(page).toContain('no such module')
    expect(page).toContain('data-run="dev"')
    expect((await preview(id, token, '/.well-known/boxyard/run/dev', 'POST')).status).toBe(204)
    expect(await previewSays(id, token, 200, 'it lives')).toBe('it lives')
  })

  it('names the step at which the set-up stopped', async () => {
    const id = await createDevbox('bad-set-up')
    const page = await previewSays(id, await previewToken(owner, id), 502, 'The set-up stopped at “Install”')
    expect(page).toContain('Your files are safe.')
  })

  it('does not start a task for another site', async () => {
    const id = await createDevbox('bad-task')
    expect((await preview(id, 'nonsense', '/.well-known/boxyard/run/dev', 'POST')).status).toBe(401)
  })
})

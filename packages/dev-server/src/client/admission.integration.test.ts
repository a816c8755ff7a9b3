import { once } from 'node:events'
import { createServer } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { ConnectionRegistry } from '../connection.ts'
import { Dispatcher } from '../dispatcher.ts'
import { createLog } from '../log.ts'
import { Readiness } from '../readiness.ts'
import { Session } from '../session.ts'
import { TestClient } from '../testing/testClient.ts'
import { Admission } from './admission.ts'
import { ReconnectTokens } from './reconnectToken.ts'

describe('admission', () => {
  let folder: string
  let path: string
  let readiness: Readiness
  const server = createServer()

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'boxyard-admission-'))
    path = join(folder, 'socket')
    readiness = new Readiness()
    const connections = new ConnectionRegistry()
    const admission = new Admission({
      connections,
      readiness,
      tokens: new ReconnectTokens(new Uint8Array(32), Date.now),
      workspace: '/project/workspace',
      capabilities: () => ({}),
    })
    const log = createLog(() => undefined)
    const claims = {
      aud: 'box1',
      sub: 'user1',
      epoch: 1,
      access: 'write' as const,
      username: 'ada',
      name: 'Ada',
      avatarUrl: null,
      exp: 0,
    }
    new WebSocketServer({ server }).on('connection', (socket) => {
      const host = {
        dispatcher: new Dispatcher(log),
        log,
        admit: (...given: Parameters<Admission['admit']>) => admission.admit(...given),
        joined: () => undefined,
        ended: () => undefined,
      }
      return new Session(socket, claims, null, host)
    })
    server.listen(path)
    await once(server, 'listening')
  })
  afterEach(async () => {
    server.removeAllListeners('upgrade')
    await new Promise((resolve) => server.close(resolve))
    await rm(folder, { recursive: true, force: true })
  })

  const join_ = (client: TestClient, asyncProgress: boolean): Promise<unknown> =>
    client.call('client/join', {
      clientInfo: { protocolVersion: '0.367.10', appId: 'test' },
      asyncProgress,
      subscriptions: {},
    })

  it('DS19: a join during the start hears of its progress when it wants to, and waits for its end', async () => {
    const curious = await TestClient.open(path, 'x')
    const patient = await TestClient.open(path, 'x')
    const joins = [join_(curious, true), join_(patient, false)]
    await curious.next('system/initStatus')
    readiness.report({ message: 'Reading the files', progress: 30, nextProgress: 90 })
    expect(await curious.next('system/initStatus', ({ progress }) => progress === 30)).toEqual({
      message: 'Reading the files',
      progress: 30,
      nextProgress: 90,
    })
    readiness.ready()
    for (const result of await Promise.all(joins)) expect(result).toMatchObject({ client: { username: 'ada' } })
    expect(patient.received).toEqual([])
    await Promise.all([curious.close(), patient.close()])
  })

  it('DS19: when the start fails the answer says why', async () => {
    const client = await TestClient.open(path, 'x')
    const joining = join_(client, true)
    await client.next('system/initStatus')
    readiness.failed(new Error('the disk is not there'))
    await expect(joining).rejects.toMatchObject({ code: 0, message: expect.stringContaining('the disk is not there') })
    expect(await client.next('system/initStatus', ({ isError }) => isError === true)).toMatchObject({ progress: 0 })
    await client.close()
  })
})

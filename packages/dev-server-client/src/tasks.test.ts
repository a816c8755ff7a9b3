import type { Task } from '@boxyard/protocol'
import { ProtocolError } from '@boxyard/protocol'
import { expect, it } from 'vitest'
import { settled } from './testing/fakeClock.ts'
import { FakeServer } from './testing/fakeServer.ts'

const created = (name: string, clock: number) => ({
  operations: [
    { operation: { type: 'create', parentId: '0', newEntry: { id: `id of ${name}`, type: 0, name } }, clock },
  ],
})

it('DC504: the configuration is generated when its file is told of, before or behind the answer', async () => {
  const server = new FakeServer()
  const client = await server.connectedClient()
  let isDone = false
  const generating = client.tasks.generateConfig().then(() => (isDone = true))
  await settled()
  server.socket.notify('fs/operations', created('other.json', 1))
  await server.clock.advance(4_999)
  expect(isDone).toBe(false)
  server.socket.notify('fs/operations', created('tasks.json', 2))
  await generating

  server.answers['task/generateConfig'] = (_, socket) => {
    socket.notify('fs/operations', created('tasks.json', 3))
    return null
  }
  await client.tasks.generateConfig()
})

it('DC504: a configuration that does not come in 5 s was not generated, and a refusal is passed on', async () => {
  const server = new FakeServer()
  const client = await server.connectedClient()
  const outcome = expect(client.tasks.generateConfig()).rejects.toThrow('Config file was not generated')
  await server.clock.advance(5_000)
  await outcome
  server.answers['task/generateConfig'] = () => {
    throw new ProtocolError('CONFIG_FILE_ALREADY_EXISTS')
  }
  await expect(client.tasks.generateConfig()).rejects.toMatchObject({ code: 600 })
  await client.tasks.createSetupTasks([{ name: 'Install', command: 'npm ci' }])
  expect(server.last('task/createSetupTasks').params).toEqual({ tasks: [{ name: 'Install', command: 'npm ci' }] })
})

it('DC505: finds the task that runs a command', async () => {
  const server = new FakeServer()
  const task = (id: string, status: 'RUNNING' | 'FINISHED'): Task => ({
    id,
    name: id,
    command: `npm run ${id}`,
    ports: [],
    shell: { shellId: id, name: id, status, shellType: 'COMMAND', startCommand: `npm run ${id}` },
  })
  server.answers['task/list'] = () => ({
    tasks: { dev: task('dev', 'RUNNING'), test: task('test', 'FINISHED') },
    setupTasks: [],
    validationErrors: [],
  })
  const client = await server.connectedClient()
  expect(client.tasks.running('npm run dev').id).toBe('dev')
  expect(() => client.tasks.running('npm run test')).toThrow('Cannot find the task running npm run test')
})

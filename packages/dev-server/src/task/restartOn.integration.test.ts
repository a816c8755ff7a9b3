import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Task } from '@boxyard/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Configuration } from '../configuration.ts'
import { startDevServer, type DevServer } from '../devServer.ts'
import { createLog } from '../log.ts'
import { git } from '../testing/gitRemote.ts'
import { createTestBox, type TestBox } from '../testing/testBox.ts'
import { TestClient } from '../testing/testClient.ts'

describe('tasks that start anew', () => {
  let box: TestBox
  let server: DevServer
  let client: TestClient
  const errors: string[] = []

  beforeEach(async () => {
    errors.length = 0
    box = await createTestBox()
  })
  afterEach(async () => {
    await server.stop()
    await box.remove()
    expect(errors).toEqual([])
  })

  const start = async (boot: Configuration['boot'] = 'CLEAN'): Promise<void> => {
    server = await startDevServer(
      { ...box.configuration, boot },
      createLog((line) => line.includes('"level":"error"') && errors.push(line)),
    )
    client = await TestClient.join(box.configuration.socket, await box.token())
  }
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(join(box.configuration.workspace, path, '..'), { recursive: true })
    await writeFile(join(box.configuration.workspace, path), text)
  }
  const configure = (tasks: object): Promise<void> => write('.codesandbox/tasks.json', JSON.stringify({ tasks }))
  const update = (id: string, only: (task: Task) => boolean): Promise<Task> =>
    client.next('task/update', (task) => task.id === id && only(task))
  const isRunning = (task: Task): boolean => task.shell?.status === 'RUNNING'
  const waiting = { name: 'Wait', command: 'sleep 1000' }

  it('DS410: a change of a named file, or another branch, starts a running task anew and no other', async () => {
    const { workspace } = box.configuration
    await configure({
      files: { ...waiting, name: 'Files', restartOn: { files: ['package.json', 'config/*.yml'] } },
      branch: { ...waiting, name: 'Branch', restartOn: { branch: true } },
      resting: { ...waiting, name: 'Resting', restartOn: { files: ['**'], branch: true } },
      plain: waiting,
    })
    await git(workspace, 'init', '--quiet')
    await git(workspace, 'commit', '--quiet', '--allow-empty', '-m', 'first')
    await start()
    for (const taskId of ['files', 'branch', 'plain']) {
      await client.call('task/run', { taskId })
      await update(taskId, isRunning)
    }
    const { tasks } = await client.call('task/list', {})
    const restarted = (id: string) =>
      client.next('shell/restart', ({ shellId }) => shellId === tasks[id]!.shell!.shellId)
    await write('src/other.ts', 'x')
    await write('config/a.yml', 'x')
    await restarted('files')
    await git(workspace, 'checkout', '--quiet', '-b', 'sideways')
    await restarted('branch')
    await write('package.json', '{}')
    await restarted('files')
    expect(client.received.some(({ method }) => method === 'shell/restart')).toBe(false)
    expect((await client.call('task/list', {})).tasks['resting']!.shell).toBeNull()
  })

  it('DS411: a copy of a box starts what asks for it, and so does a box that has slept, as files or in memory', async () => {
    await configure({
      clone: { ...waiting, name: 'Clone', restartOn: { clone: true } },
      resume: { ...waiting, name: 'Resume', restartOn: { resume: true } },
      plain: waiting,
    })
    const running = async (): Promise<string[]> =>
      Object.values((await client.call('task/list', {})).tasks)
        .filter(isRunning)
        .map(({ id }) => id)
    await start()
    if ((await client.call('setup/get', {})).state !== 'FINISHED') {
      await client.next('setup/progress', ({ state }) => state === 'FINISHED')
    }
    expect(await running()).toEqual([])
    await server.stop()
    await start('FORK')
    if (!(await running()).includes('clone')) await update('clone', isRunning)
    expect(await running()).toEqual(['clone'])
    await server.stop()
    await start('RESUME')
    if (!(await running()).includes('resume')) await update('resume', isRunning)
    expect(await running()).toEqual(['resume'])

    const { shell } = (await client.call('task/list', {})).tasks['resume']!
    await ask('POST', '/hibernate')
    await client.closed
    client = await TestClient.join(box.configuration.socket, await box.token())
    await client.call('shell/open', { shellId: shell!.shellId, size: { cols: 80, rows: 24 } })
    await ask('GET', '/status')
    await client.next('shell/restart', ({ shellId }) => shellId === shell!.shellId)
    expect(await running()).toEqual(['resume'])
  })

  const ask = async (method: string, path: string): Promise<void> => {
    const sent = request({ socketPath: box.configuration.socket, method, path }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    await once(response.resume(), 'end')
  }

  it('DS412: changing a task keeps when it starts anew, and a wrong rule is told', async () => {
    await configure({ go: { ...waiting, restartOn: { files: ['a.txt'], later: 1 } } })
    await start()
    await client.call('task/update', { taskId: 'go', taskFields: { name: 'Gone' } })
    const text = await readFile(join(box.configuration.workspace, '.codesandbox/tasks.json'), 'utf8')
    expect(JSON.parse(text)).toEqual({
      tasks: { go: { name: 'Gone', command: 'sleep 1000', restartOn: { files: ['a.txt'], later: 1 } } },
    })
    await configure({ go: { ...waiting, restartOn: { files: ['*'.repeat(20), '(a)'] } } })
    const { validationErrors } = await client.next('task/listUpdate', (list) => list.validationErrors.length > 0)
    expect(validationErrors).toEqual([expect.stringContaining('tasks.go.restartOn.files')])
  })
})

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Configuration } from '../configuration.ts'
import { startDevServer, type DevServer } from '../devServer.ts'
import { createLog } from '../log.ts'
import { createTestBox, type TestBox } from '../testing/testBox.ts'
import { TestClient } from '../testing/testClient.ts'

describe('the dev container at the start of a box', () => {
  let box: TestBox
  let server: DevServer
  let client: TestClient

  beforeEach(async () => {
    box = await createTestBox()
    await mkdir(join(box.configuration.workspace, '.devcontainer'))
    await mkdir(join(box.configuration.workspace, '.codesandbox'))
    await write('.codesandbox/tasks.json', JSON.stringify({ setupTasks: ['echo task >> done'] }))
  })
  afterEach(async () => {
    await server.stop()
    await box.remove()
  })

  const write = (path: string, text: string): Promise<void> => writeFile(join(box.configuration.workspace, path), text)
  const start = async (boot: Configuration['boot']): Promise<void> => {
    server = await startDevServer(
      { ...box.configuration, boot },
      createLog(() => undefined),
    )
    client = await TestClient.join(box.configuration.socket, await box.token())
  }
  const setUp = async (state: 'FINISHED' | 'STOPPED') => {
    const now = await client.call('setup/get', {})
    return now.state === state ? now : client.next('setup/progress', (progress) => progress.state === state)
  }
  /** The shell of the command that runs at every start, once it has ended. */
  const started = async (before = ''): Promise<string> => {
    const ended = async () =>
      (await client.call('shell/list', {})).shells.filter(
        ({ name, status }) => name === 'postStartCommand' && status === 'FINISHED',
      )
    const ids = async (): Promise<string[]> =>
      (await ended()).map(({ shellId }) => shellId).filter((id) => id !== before)
    while ((await ids()).length !== 1) await client.call('client/list', {})
    return (await ids())[0]!
  }

  it('DS415: the commands that make it are the first steps of the set-up, in the order of the standard', async () => {
    await write(
      '.devcontainer/devcontainer.json',
      JSON.stringify({
        image: 'mcr.test/base',
        postStartCommand: 'echo started >> done',
        postCreateCommand: ['sh', '-c', 'echo "postCreate $WHO" >> done'],
        updateContentCommand: { one: 'touch one', two: 'touch two' },
        onCreateCommand: 'stty size > size; echo onCreate ${containerWorkspaceFolderBasename} >> done',
        containerEnv: { WHO: 'ada' },
      }),
    )
    await start('CLEAN')
    const { steps } = await setUp('FINISHED')
    expect(steps.map(({ name, finishStatus }) => [name, finishStatus])).toEqual(
      ['Dev container', 'onCreateCommand', 'updateContentCommand', 'postCreateCommand', 'echo task >> done'].map(
        (name) => [name, 'SUCCEEDED'],
      ),
    )
    const { buffer } = await client.call('shell/open', { shellId: steps[0]!.shellId!, size: { cols: 200, rows: 24 } })
    expect(buffer.join('')).toContain('- image: the box keeps the system it has')
    const first = await started()
    const done = 'onCreate workspace\npostCreate ada\ntask\nstarted\n'
    expect(await readFile(join(box.configuration.workspace, 'done'), 'utf8')).toBe(done)
    await readFile(join(box.configuration.workspace, 'one'))
    await readFile(join(box.configuration.workspace, 'two'))
    expect(await readFile(join(box.configuration.workspace, 'size'), 'utf8')).toBe('24 80\n')

    await server.stop()
    await start('RESUME')
    await started(first)
    expect((await client.call('shell/list', {})).shells.some(({ shellId }) => shellId === first)).toBe(false)
    expect(await readFile(join(box.configuration.workspace, 'done'), 'utf8')).toBe(`${done}started\n`)
  })

  it('DS416: a command that fails stops the set-up; one part of several is enough', async () => {
    const commands = { onCreateCommand: { good: 'true', bad: 'exit 7' }, postCreateCommand: 'touch never' }
    await write('.devcontainer/devcontainer.json', JSON.stringify(commands))
    await start('CLEAN')
    const { steps, currentStepIndex } = await setUp('STOPPED')
    expect([currentStepIndex, steps[0]]).toMatchObject([0, { name: 'onCreateCommand', finishStatus: 'FAILED' }])
    const { shells } = await client.call('shell/list', {})
    expect(shells.find(({ shellId }) => shellId === steps[0]!.shellId)).toMatchObject({ exitCode: 7 })
  })

  it('DS417: a description that can not be read is said in the set-up, which goes on', async () => {
    await write('.devcontainer/devcontainer.json', '{"features": 3}')
    await start('CLEAN')
    const { steps } = await setUp('FINISHED')
    expect(steps).toHaveLength(2)
    const { buffer } = await client.call('shell/open', { shellId: steps[0]!.shellId!, size: { cols: 200, rows: 24 } })
    expect(buffer.join('')).toContain('Nothing of it was done')
  })
})

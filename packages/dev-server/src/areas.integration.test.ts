import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startDevServer, type DevServer } from './devServer.ts'
import { createLog } from './log.ts'
import { createNotificationArea } from './notification/notificationArea.ts'
import { RecordingConnection } from './shell/testing.ts'
import { createTestBox, type TestBox } from './testing/testBox.ts'
import { TestClient } from './testing/testClient.ts'

describe('areas', () => {
  let box: TestBox
  let server: DevServer

  beforeEach(async () => {
    box = await createTestBox()
    server = await start()
  })
  afterEach(async () => {
    await server.stop()
    await box.remove()
  })

  const start = (): Promise<DevServer> =>
    startDevServer(
      box.configuration,
      createLog(() => undefined),
    )
  const join_ = async (username: string, access: 'read' | 'write' = 'write'): Promise<TestClient> =>
    TestClient.join(box.configuration.socket, await box.token({ username, access }))

  it('AR1: who subscribes sees who is there, and the others hear of coming and going', async () => {
    const [ada, bob, eve] = [await join_('ada'), await join_('bob', 'read'), await join_('eve')]
    expect(await ada.call('channel/subscribe', { name: 'room' })).toEqual({ subscribers: [ada.clientId] })
    const both = [ada.clientId, bob.clientId]
    expect(await bob.call('channel/subscribe', { name: 'room' })).toEqual({ subscribers: both })
    expect(await ada.next('channel/subscribed')).toEqual({ name: 'room', clientId: bob.clientId, subscribers: both })
    expect(await bob.call('channel/subscribe', { name: 'room' })).toEqual({ subscribers: both })
    await eve.call('channel/subscribe', { name: 'room' })
    expect((await ada.next('channel/subscribed')).clientId).toBe(eve.clientId)
    await eve.call('channel/unsubscribe', { name: 'room' })
    expect(await ada.next('channel/unsubscribed')).toEqual({ name: 'room', clientId: eve.clientId, subscribers: both })
    await bob.close()
    expect(await ada.next('channel/unsubscribed')).toMatchObject({
      clientId: bob.clientId,
      subscribers: [ada.clientId],
    })
    await expect(eve.call('channel/unsubscribe', { name: 'room' })).rejects.toMatchObject({ code: 500 })
  })

  it('AR2: messages reach the others or the chosen, and only from subscribers', async () => {
    const [ada, window, bob] = [await join_('ada'), await join_('ada'), await join_('bob')]
    const data = { type: 'FOCUS_FILE', filepath: '/a', visibleLines: [1, 20] }
    await expect(ada.call('channel/message', { name: 'room', data })).rejects.toMatchObject({ code: 500 })
    for (const client of [ada, window, bob]) await client.call('channel/subscribe', { name: 'room' })
    expect(await ada.call('channel/message', { name: 'room', data })).toEqual({
      clients: [window.clientId, bob.clientId],
    })
    expect(await window.next('channel/message')).toEqual({ name: 'room', clientId: ada.clientId, isUser: true, data })
    expect(await bob.next('channel/message')).toMatchObject({ isUser: false })
    const clients = [bob.clientId, 'nobody']
    expect(await ada.call('channel/message', { name: 'room', data, clients })).toEqual({ clients: [bob.clientId] })
    await bob.next('channel/message')
    expect(window.received.some(({ method }) => method === 'channel/message')).toBe(false)

    const [visitor, another] = [await join_('anonymous', 'read'), await join_('anonymous', 'read')]
    for (const client of [visitor, another]) await client.call('channel/subscribe', { name: 'command-anonymous' })
    await visitor.call('channel/message', { name: 'command-anonymous', data })
    expect(await another.next('channel/message')).toMatchObject({ isUser: false })
  })

  it('AR3: a client is in so many channels and no more', async () => {
    const ada = await join_('ada')
    const names = Array.from({ length: 1000 }, (_, index) => `room ${index}`)
    await Promise.all(names.map((name) => ada.call('channel/subscribe', { name })))
    await expect(ada.call('channel/subscribe', { name: 'one more' })).rejects.toMatchObject({ code: 3 })
    await ada.call('channel/unsubscribe', { name: 'room 0' })
    await ada.call('channel/subscribe', { name: 'one more' })
  })

  it('AR4: a notification is answered once, by whom it was shown to, with what was offered', async () => {
    const area = createNotificationArea()
    const [ada, bob] = [new RecordingConnection({ clientId: 'ada' }), new RecordingConnection({ clientId: 'bob' })]
    const answered = area.notify(ada, { type: 'info', message: 'Sure?', actions: ['Yes', 'No'] })
    const shown = ada.recorded.find(({ name }) => name === 'notification/notify')!.params as {
      notificationId: string
    }
    const { notificationId } = shown
    const answer = (response: string | undefined, connection: RecordingConnection): unknown =>
      area.handlers['notification/notifyResponse']!({ notificationId, response }, connection, () => undefined)
    expect(shown).toMatchObject({ type: 'info', message: 'Sure?', actions: [{ label: 'Yes' }, { label: 'No' }] })
    expect(() => answer('Yes', bob)).toThrow('Unknown notification')
    expect(() => answer('Perhaps', ada)).toThrow('one of the actions')
    answer('Yes', ada)
    expect(await answered).toBe('Yes')
    expect(() => answer('No', ada)).toThrow('Unknown notification')
    const left = area.notify(bob, { type: 'error', message: 'Gone' })
    area.left!(bob)
    expect(await left).toBeNull()
  })

  it('AR5: commands are listed and run', async () => {
    const ada = await join_('ada')
    const { commands } = await ada.call('command/list', {})
    expect(commands.map(({ id }) => id)).toEqual(['boxyard.restartLanguageServers', 'boxyard.runSetup'])
    expect(await ada.call('command/execute', { commandId: 'boxyard.restartLanguageServers' })).toEqual({})
    await ada.call('command/execute', { commandId: 'boxyard.runSetup' })
    await ada.next('setup/progress', ({ state }) => state === 'FINISHED')
    await expect(ada.call('command/execute', { commandId: 'nothing' })).rejects.toMatchObject({ code: 704 })
  })

  it('AR6: AI is off and says how to turn it on', async () => {
    const ada = await join_('ada')
    expect(ada.joined.capabilities.ai).toBeUndefined()
    const id = { chatId: 'c', messageId: 'm' }
    const messages = [{ role: 'user' as const, content: 'x' }]
    for (const asked of [
      ada.call('ai/chats', {}),
      ada.call('ai/raw', { messages }),
      ada.call('ai/stream', { messages }),
      ada.call('ai/suggestCommit', { files: ['a'] }),
      ada.call('ai/chatHistory', { chatId: 'c' }),
      ada.call('ai/chatMessage', { ...id, message: 'x', context: [] }),
      ada.call('ai/messageState', { messageId: 'm' }),
      ada.call('ai/embeddings', { query: 'x' }),
    ]) {
      await expect(asked).rejects.toMatchObject({ code: 800, message: expect.stringContaining('turn it on') })
    }
    await expect(ada.call('ai/suggestCommit', { files: [] })).rejects.toMatchObject({
      message: expect.stringContaining('Need to provide at least 1 file'),
    })
  })

  it('AR8, AR9: a dev container is set up by a task, missing programs are told, variables come with the next start', async () => {
    const { workspace } = box.configuration
    const ada = await join_('ada')
    const features = [{ id: 'ghcr.test/features/no-such-program-here:1', options: { version: '2' } }]
    const task = await ada.call('container/setup', { templateId: 'node', templateArgs: { MODE: 'test' }, features })
    expect(await ada.next('container/openSetupDevtool')).toEqual({ dependencies: ['no-such-program-here'] })
    expect(await ada.next('notification/notify')).toMatchObject({
      type: 'warning',
      message: expect.stringContaining('not downloaded'),
    })
    await ada.next('task/update', ({ id, shell }) => id === task.id && shell?.status === 'FINISHED')
    const { shellId } = (await ada.call('task/list', {})).tasks[task.id]!.shell!
    const { buffer } = await ada.call('shell/open', { shellId })
    expect(buffer.join('')).toContain('no-such-program-here is missing in this box')
    const file = join(workspace, '.devcontainer/devcontainer.json')
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ name: 'node', containerEnv: { MODE: 'test' } })
    await writeFile(file, '{ "containerEnv": { "MODE": "kept" }, "postCreateCommand": "echo done > done.txt" }')
    const again = await ada.call('container/setup', { templateId: 'other', templateArgs: {} })
    await ada.next('task/update', ({ id, shell }) => id === again.id && shell?.status === 'FINISHED')
    expect(await readFile(join(workspace, 'done.txt'), 'utf8')).toBe('done\n')
    await server.stop()
    server = await start()
    const later = await join_('ada')
    const shell = await later.call('shell/create', { command: 'echo "mode is $MODE"' })
    await later.next('shell/exit', ({ shellId: ended }) => ended === shell.shellId)
    expect((await later.call('shell/open', { shellId: shell.shellId })).buffer.join('')).toContain('mode is kept')
    await mkdir(join(workspace, '.devcontainer'), { recursive: true })
    await writeFile(file, '{')
    await expect(later.call('container/setup', { templateId: 'x', templateArgs: {} })).rejects.toMatchObject({
      code: -32_602,
    })
  })
})

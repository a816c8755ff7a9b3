import { permissionsFor, ProtocolError } from '@boxyard/protocol'
import { expect, it } from 'vitest'
import { settled } from './testing/fakeClock.ts'
import { FakeServer } from './testing/fakeServer.ts'

const typescript = {
  id: 'typescript',
  extensions: ['.ts'],
  globs: ['*.ts'],
  hasLanguageServer: true,
  languageServerIds: ['typescript'],
}
const restart = { id: 'restart', displayName: 'Restart language servers' }

function serverWith(changes: { permissions?: unknown } = {}): FakeServer {
  const server = new FakeServer()
  const join = server.answers['client/join']!
  const capabilities = { language: { list: true, pitcherLsp: true }, command: { list: true, execute: true } }
  server.answers['client/join'] = (...given) => ({ ...(join(...given) as object), capabilities, ...changes })
  server.answers['language/list'] = () => ({ languages: [typescript] })
  server.answers['command/list'] = () => ({ commands: [restart] })
  server.answers['command/execute'] = () => ({})
  return server
}

async function reconnect(
  server: FakeServer,
  client: Awaited<ReturnType<FakeServer['connectedClient']>>,
): Promise<void> {
  await Promise.all([client.connection.reconnect(), server.clock.advance(500)])
  await settled()
}

it('DC700: reads languages and commands after every join, follows what is told, and runs a command', async () => {
  const server = serverWith()
  const client = await server.connectedClient()
  expect(client.languages.all).toEqual([typescript])
  expect(client.commands.all).toEqual([restart])
  await client.commands.execute('restart')
  expect(server.last('command/execute').params).toEqual({ commandId: 'restart' })
  const changes: unknown[] = []
  client.commands.onDidChange((commands) => changes.push(commands))
  server.socket.notify('command/changed', { commands: [] })
  server.answers['language/list'] = () => ({ languages: [] })
  await reconnect(server, client)
  expect(client.languages.all).toEqual([])
  expect(changes).toEqual([[], [restart]])
})

it('DC700: asks for neither where there are none, or of who may not', async () => {
  const permissions = permissionsFor('read')
  const plain = new FakeServer()
  const barred = serverWith({
    permissions: {
      ...permissions,
      language: { list: false, lspRead: false, lspWrite: false },
      command: { list: false, execute: false },
    },
  })
  for (const server of [plain, barred]) {
    const client = await server.connectedClient()
    await Promise.all([client.languages.ready, client.commands.ready])
    expect([server.sent('language/list'), server.sent('command/list')]).toEqual([[], []])
  }
})

it('DC701: a language server is initialized again after a reconnect, and one that refuses takes nothing from others', async () => {
  const server = serverWith()
  server.answers['language/lspRequest'] = ({ params }) => ({ from: params['serverId'] })
  const client = await server.connectedClient()
  const failures: string[] = []
  client.onSyncFailure(({ area, error }) => failures.push(`${area}: ${error.message}`))
  const [used, broken, unused] = ['used', 'broken', 'unused'].map((id) => client.languages.connect('typescript', id))
  const again: unknown[] = []
  used!.onDidInitializeAgain((result) => again.push(result))
  expect(await used!.request('initialize', { rootUri: 'file:///project/workspace' })).toEqual({ from: 'used' })
  await broken!.request('initialize', {})
  await unused!.request('textDocument/hover', {})
  server.answers['language/lspRequest'] = ({ params }) => {
    if (params['serverId'] === 'broken') throw new ProtocolError('CRITICAL_ERROR', 'it does not start')
    return { from: 'the next one' }
  }
  await reconnect(server, client)
  expect(again).toEqual([{ from: 'the next one' }])
  expect(failures).toEqual(['language: it does not start'])
  const sent = server.sent('language/lspRequest').map(({ params }) => params)
  expect(sent).toContainEqual({
    languageId: 'typescript',
    serverId: 'used',
    message: { method: 'initialize', params: { rootUri: 'file:///project/workspace' } },
  })
  expect(sent.filter(({ serverId }) => serverId === 'unused')).toEqual([])
  used!.dispose()
  await reconnect(server, client)
  expect(again).toHaveLength(1)
})

it('DC702: what a language server says reaches those who use it, and answers go back', async () => {
  const server = serverWith()
  const client = await server.connectedClient()
  const session = client.languages.connect('css', 'css')
  const heard: unknown[] = []
  session.onNotification((message) => heard.push(message))
  session.onRequest(({ id, method }) => heard.push([id, method]))
  const css = { languageId: 'css', serverId: 'css' }
  server.socket.notify('language/lspNotification', { ...css, message: { method: 'window/logMessage', params: {} } })
  server.socket.notify('language/lspNotification', { ...css, serverId: 'other', message: { method: 'other' } })
  server.socket.notify('language/lspServerRequest', { ...css, message: { id: 7, method: 'workspace/configuration' } })
  expect(heard).toEqual([{ method: 'window/logMessage', params: {} }, [7, 'workspace/configuration']])
  await session.answer(7, { result: [null] })
  expect(server.last('language/lspServerResponse').params).toEqual({ ...css, message: { id: 7, result: [null] } })
})

it('DC703: notifications of the dev server are told, and what was chosen goes back', async () => {
  const server = new FakeServer()
  const client = await server.connectedClient()
  const failures: unknown[] = []
  client.onSyncFailure((failure) => failures.push(failure))
  const heard: unknown[] = []
  client.notifications.onDidNotify(({ notificationId, message }) => heard.push([notificationId, message]))
  client.notifications.onDidDismiss((notificationId) => heard.push(notificationId))
  server.socket.notify('notification/notify', { type: 'info', notificationId: 'one', message: 'Hello' })
  server.socket.notify('notification/dismiss', { notificationId: 'one' })
  expect(heard).toEqual([['one', 'Hello'], 'one'])
  client.notifications.respond('one', 'Yes')
  await settled()
  expect(server.last('notification/notifyResponse').params).toEqual({ notificationId: 'one', response: 'Yes' })
  server.answers['notification/notifyResponse'] = () => {
    throw new ProtocolError('INVALID_ID', 'Unknown notification')
  }
  client.notifications.respond('two', null)
  client.dispose()
  await settled()
  expect(failures).toEqual([])
})

import type { GitStatus } from '@boxyard/protocol'
import { permissionsFor } from '@boxyard/protocol'
import { expect, it } from 'vitest'
import { settled } from './testing/fakeClock.ts'
import { FakeServer } from './testing/fakeServer.ts'

const side = { head: 'abc', branch: 'main', ahead: 0, behind: 0, safe: true }
const status = (changes: Partial<GitStatus> = {}): GitStatus => ({
  changedFiles: {},
  deletedFiles: [],
  conflicts: false,
  localChanges: false,
  remote: side,
  target: side,
  head: 'abc',
  commits: [],
  branch: 'main',
  isMerging: false,
  ...changes,
})

function serverWithGit(): FakeServer {
  const server = new FakeServer()
  const join = server.answers['client/join']!
  server.answers['client/join'] = (...given) => ({
    ...(join(...given) as object),
    capabilities: { git: { status: true } },
  })
  server.answers['git/remotes'] = () => ({ origin: 'http://host/a/b.git', upstream: '' })
  server.answers['git/status'] = () => status()
  server.answers['git/commit'] = () => ({ shellId: 'shell1' })
  return server
}

it('DC440: reads the repository after every join and follows what is told', async () => {
  const server = serverWithGit()
  const client = await server.connectedClient()
  expect(client.git.status?.branch).toBe('main')
  expect(client.git.remotes.origin).toBe('http://host/a/b.git')
  server.socket.notify('git/status', status({ branch: 'other' }))
  expect(client.git.status?.branch).toBe('other')
  server.answers['git/status'] = () => status({ branch: 'third' })
  await Promise.all([client.connection.reconnect(), server.clock.advance(500)])
  await settled()
  expect(client.git.status?.branch).toBe('third')
})

it('DC440: asks nothing where there is no git, or of who may not see it', async () => {
  const without = new FakeServer()
  const client = await without.connectedClient()
  await client.git.ready
  expect([client.git.status, without.sent('git/status')]).toEqual([undefined, []])
  const refusing = serverWithGit()
  const join = refusing.answers['client/join']!
  const permissions = permissionsFor('write')
  refusing.answers['client/join'] = (...given) => ({
    ...(join(...given) as object),
    permissions: { ...permissions, git: { ...permissions.git, status: false } },
  })
  const refused = await refusing.connectedClient()
  await refused.git.ready
  expect([refused.git.status, refusing.sent('git/status')]).toEqual([undefined, []])
})

it('DC441: a commit ends with the status after it, also when all of it comes at once', async () => {
  const server = serverWithGit()
  const client = await server.connectedClient()
  let ended = false
  const commit = client.git.commit({ message: 'Say so', push: false }).then(() => (ended = true))
  await settled()
  server.socket.notify('git/commitStarted', { shellId: 'shell1', message: 'Say so' })
  server.socket.notify('git/commitFinished', { exitCode: 0 })
  await settled()
  expect(ended).toBe(false)
  server.socket.notify('git/status', status({ head: 'def' }))
  await commit
  expect(client.git.status?.head).toBe('def')
  const again = client.git.commit({ message: 'Again', push: false })
  await settled()
  server.socket.notify('git/commitFinished', { exitCode: 0 })
  server.socket.notify('git/status', status({ head: 'fed' }))
  await again
})

it('DC441: a commit that fails says why, and one whose end is not heard of says that', async () => {
  const server = serverWithGit()
  const client = await server.connectedClient()
  const failing = client.git.commit({ message: 'Say so', push: true })
  const failed = expect(failing).rejects.toThrow('The commit was not finished. It was made, but not pushed.')
  await settled()
  server.socket.notify('git/commitFinished', {
    exitCode: 1,
    error: { code: 440, message: 'It was made, but not pushed.' },
  })
  await failed
  const lost = expect(client.git.commit({ message: 'Again', push: true })).rejects.toThrow('connection was lost')
  await settled()
  server.socket.end(1006)
  await lost
})

it('DC442: is busy while a pull or a commit of anybody runs', async () => {
  const server = serverWithGit()
  const client = await server.connectedClient()
  const seen: boolean[] = []
  client.git.onDidChangeBusy((isBusy) => seen.push(isBusy))
  server.socket.notify('git/pullStarted', null)
  server.socket.notify('git/pullFinished', null)
  server.socket.notify('git/commitStarted', { shellId: 's', message: 'm' })
  await Promise.all([client.connection.reconnect(), server.clock.advance(500)])
  expect([seen, client.git.isBusy]).toEqual([[true, false, true, false], false])
})

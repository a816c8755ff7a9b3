import { ProtocolError } from '@boxyard/protocol'
import { expect, it } from 'vitest'
import { settled } from '../testing/fakeClock.ts'
import { FakeServer, HOLD } from '../testing/fakeServer.ts'

const shell = {
  shellId: 's',
  name: 'zsh',
  status: 'RUNNING',
  shellType: 'TERMINAL',
  ownerUsername: 'ada',
  isSystemShell: false,
}
const size = { cols: 80, rows: 24 }

async function connected() {
  const server = new FakeServer()
  server.answers['shell/open'] = () => ({ ...shell, buffer: ['$ ls\r\n'] })
  const client = await server.connectedClient()
  await server.clock.advance(1_000)
  return { server, client }
}

it('DC60: gives the scrollback and everything since to the first listener', async () => {
  const { server, client } = await connected()
  const session = await client.shells.open('s', size)
  server.socket.notify('shell/out', { shellId: 's', out: 'a.ts\r\n' })
  server.socket.notify('shell/out', { shellId: 'other', out: 'no' })
  const seen: string[] = []
  session.onData((data) => seen.push(data))
  server.socket.notify('shell/out', { shellId: 's', out: '$ ' })
  expect(seen).toEqual(['$ ls\r\na.ts\r\n', '$ '])
  await session.write('pwd\n')
  expect(server.last('shell/in').params).toEqual({ shellId: 's', input: 'pwd\n', size })
})

it('DC61: opens shells again after a reconnect, with their present size', async () => {
  const { server, client } = await connected()
  const session = await client.shells.open('s', size)
  const seen: string[] = []
  session.onData((data) => seen.push(data))
  session.onReset(() => seen.push('RESET'))
  let exits = 0
  session.onExit(() => (exits += 1))
  session.resize({ cols: 100, rows: 30 })
  server.answers['shell/open'] = () => ({ ...shell, buffer: ['$ ls\r\n$ pwd\r\n'] })
  server.socket.end(1006)
  await settled()
  expect(server.last('shell/open').params).toEqual({ shellId: 's', size: { cols: 100, rows: 30 } })
  expect(seen).toEqual(['$ ls\r\n', 'RESET', '$ ls\r\n$ pwd\r\n'])
  server.answers['shell/open'] = () => {
    throw new ProtocolError('SHELL_NOT_FOUND')
  }
  await server.clock.advance(1_000)
  server.socket.end(1006)
  await settled()
  expect(exits).toBe(1)
  expect(session.shell.status).toBe('KILLED')
})

it('DC62: keeps output and exit that stand right behind the answer of a create', async () => {
  const { server, client } = await connected()
  server.answers['shell/create'] = () => HOLD
  const creating = client.shells.create({ command: 'true', type: 'COMMAND' })
  await settled()
  const command = { shellId: 'c', name: 'true', status: 'RUNNING', shellType: 'COMMAND', startCommand: 'true' }
  server.socket.respond(server.last('shell/create'), { ...command, buffer: [] })
  server.socket.notify('shell/out', { shellId: 'c', out: 'done\r\n' })
  server.socket.notify('shell/exit', { shellId: 'c', shellType: 'COMMAND', exitCode: 0 })
  const session = await creating
  const seen: string[] = []
  session.onData((data) => seen.push(data))
  expect(seen).toEqual(['done\r\n'])
  expect(session.shell).toMatchObject({ status: 'FINISHED', exitCode: 0 })
  expect(client.shells.all).toMatchObject([{ shellId: 'c', status: 'FINISHED' }])
})

it('DC62: an exit whose code the dev server does not know has none', async () => {
  const { server, client } = await connected()
  const session = await client.shells.open('s', size)
  const exits: (number | undefined)[] = []
  session.onExit(({ exitCode }) => exits.push(exitCode))
  server.socket.notify('shell/exit', { shellId: 's', shellType: 'TERMINAL', exitCode: -1 })
  await settled()
  expect(exits).toEqual([undefined])
})

it('DC63: closes a shell on the wire with its last session', async () => {
  const { server, client } = await connected()
  const [first, second] = [await client.shells.open('s', size), await client.shells.open('s', size)]
  first.dispose()
  first.dispose()
  await settled()
  expect(server.sent('shell/close')).toEqual([])
  second.dispose()
  await settled()
  expect(server.sent('shell/close').map(({ params }) => params)).toEqual([{ shellId: 's' }])
})

it('DC66: asks for the output of a new shell at once, with its own size', async () => {
  const { server, client } = await connected()
  const created = { shellId: 'n', name: 'zsh', status: 'RUNNING', shellType: 'TERMINAL', ownerUsername: 'ada' }
  server.answers['shell/create'] = () => ({ ...created, isSystemShell: false, buffer: [] })
  await client.shells.create({ type: 'TERMINAL', size })
  expect(server.last('shell/resize').params).toEqual({ shellId: 'n', size })
  await client.shells.create({ type: 'TERMINAL' })
  expect(server.last('shell/resize').params).toEqual({ shellId: 'n', size: { cols: 125, rows: 20 } })
})

it('DC506: creates a shell of 125 columns and 20 rows unless another size is asked for', async () => {
  const { server, client } = await connected()
  const created = { shellId: 'n', name: 'zsh', status: 'RUNNING', shellType: 'TERMINAL', ownerUsername: 'ada' }
  server.answers['shell/create'] = () => ({ ...created, isSystemShell: false, buffer: [] })
  await client.shells.create({ type: 'TERMINAL' })
  expect(server.last('shell/create').params).toEqual({ type: 'TERMINAL', size: { cols: 125, rows: 20 } })
})

it('DC960: a shell that is restarted begins empty, and goes on', async () => {
  const { server, client } = await connected()
  const session = await client.shells.open('s', size)
  const late = await client.shells.open('s', size)
  const seen: string[] = []
  session.onData((data) => seen.push(data))
  session.onReset(() => seen.push('RESET'))
  server.socket.notify('shell/restart', { shellId: 's' })
  server.socket.notify('shell/out', { shellId: 's', out: 'again' })
  expect(seen).toEqual(['$ ls\r\n', 'RESET', 'again'])
  late.onData((data) => seen.push(data))
  expect(seen.at(-1)).toBe('again')
  await client.shells.restart('s')
  expect(server.last('shell/restart').params).toEqual({ shellId: 's' })
})

it('DC740: opens a shell after the reconnect when the connection ends before the answer', async () => {
  const { server, client } = await connected()
  server.answers['shell/open'] = () => HOLD
  const opening = client.shells.open('s', size)
  await settled()
  server.answers['shell/open'] = () => ({ ...shell, buffer: ['$ ls\r\n'] })
  server.socket.end(1006)
  await server.clock.advance(1_000)
  const seen: string[] = []
  ;(await opening).onData((data) => seen.push(data))
  expect(seen).toEqual(['$ ls\r\n'])
})

it('DC740: opens a shell after the reconnect when the connection is ending as it is asked for', async () => {
  const { server, client } = await connected()
  server.socket.readyState = 2
  const opening = client.shells.open('s', size)
  await settled()
  server.socket.end(1006)
  await server.clock.advance(1_000)
  const seen: string[] = []
  ;(await opening).onData((data) => seen.push(data))
  expect(seen).toEqual(['$ ls\r\n'])
})

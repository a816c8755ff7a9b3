import { expect, it } from 'vitest'
import { createActor, SimulatedClock } from 'xstate'
import type { ConnectionState } from '@boxyard/dev-server-client'
import type { StartedBox } from '../api/schemas.ts'
import type { BoxEvent, BoxPorts } from './boxMachine.ts'
import { boxMachine, reloadDelay, retryDelay } from './boxMachine.ts'
import { connectionEvent } from './connectionEvent.ts'

const box: StartedBox = {
  id: 'b1',
  bootupType: 'CLEAN',
  pitcherUrl: 'ws://app.test/box/b1',
  pitcherToken: 't',
  workspacePath: '/project/workspace',
}

function scene(changes: Partial<BoxPorts> = {}) {
  const seen = { starts: 0, connections: 0, disposed: 0, reconnects: 0, restarts: 0, reloads: 0 }
  const ports: BoxPorts = {
    start: () => {
      seen.starts += 1
      return () => {}
    },
    connect: () => {
      seen.connections += 1
      return { reconnect: () => (seen.reconnects += 1), dispose: () => (seen.disposed += 1) }
    },
    restart: () => {
      seen.restarts += 1
      return () => {}
    },
    reload: () => (seen.reloads += 1),
    isFocused: () => true,
    ...changes,
  }
  const clock = new SimulatedClock()
  const actor = createActor(boxMachine, { input: ports, clock }).start()
  const send = (...events: BoxEvent[]) => {
    for (const event of events) actor.send(event)
  }
  return { actor, clock, seen, send, value: () => actor.getSnapshot().value }
}

const lost: BoxEvent = { type: 'DISCONNECTED', reason: 'gone', wasClean: false }

it('starts, connects and is ready', () => {
  const { seen, send, value, actor } = scene()
  expect(value()).toBe('STARTING')
  send({ type: 'STARTED', box })
  expect(value()).toEqual({ LINKED: 'CONNECTING' })
  send({ type: 'INIT_STATUS', status: { message: 'Installing', progress: 10 } })
  expect(actor.getSnapshot().context.initStatus?.message).toBe('Installing')
  send({ type: 'CONNECTED' })
  expect(value()).toEqual({ LINKED: 'READY' })
  expect(seen).toMatchObject({ starts: 1, connections: 1, disposed: 0 })
})

it('goes through reconnecting and disconnected and back', () => {
  const { seen, send, value, actor } = scene()
  send({ type: 'STARTED', box }, { type: 'CONNECTED' }, { type: 'RECONNECTING', attempt: 1 })
  expect(value()).toEqual({ LINKED: 'RECONNECTING' })
  send({ type: 'RECONNECTING', attempt: 2 })
  expect(actor.getSnapshot().context.attempt).toBe(2)
  send({ type: 'CONNECTED' })
  expect(value()).toEqual({ LINKED: 'READY' })
  send(lost)
  expect(value()).toEqual({ LINKED: 'DISCONNECTED' })
  expect(actor.getSnapshot().context.disconnect).toEqual({ reason: 'gone', wasClean: false })
  send({ type: 'RECONNECT' })
  expect(value()).toEqual({ LINKED: 'DISCONNECTED_RECONNECTING' })
  expect(seen.reconnects).toBe(1)
  send(lost)
  expect(value()).toEqual({ LINKED: 'DISCONNECTED' })
  send({ type: 'RECONNECTING', attempt: 1 }, { type: 'CONNECTED' })
  expect(value()).toEqual({ LINKED: 'READY' })
  expect(actor.getSnapshot().context.disconnect).toBeNull()
  expect(seen).toMatchObject({ connections: 1, disposed: 0 })
})

it('tries a lost connection again by itself while the page is in sight', () => {
  const { clock, seen, send, value } = scene()
  send({ type: 'STARTED', box }, { type: 'CONNECTED' }, lost)
  clock.increment(retryDelay)
  expect(value()).toEqual({ LINKED: 'DISCONNECTED_RECONNECTING' })
  send(lost)
  clock.increment(retryDelay)
  expect(seen.reconnects).toBe(2)

  const hidden = scene({ isFocused: () => false })
  hidden.send({ type: 'STARTED', box }, { type: 'CONNECTED' }, lost)
  hidden.clock.increment(retryDelay)
  expect(hidden.value()).toEqual({ LINKED: 'DISCONNECTED' })
})

it('hibernates from any linked state and wakes on request', () => {
  const { seen, send, value } = scene()
  send({ type: 'STARTED', box }, { type: 'CONNECTED' }, { type: 'HIBERNATED' })
  expect(value()).toEqual({ LINKED: 'HIBERNATED' })
  send({ type: 'RECONNECT' }, { type: 'CONNECTED' })
  expect(value()).toEqual({ LINKED: 'READY' })
  expect(seen.reconnects).toBe(1)
})

it('keeps the failure of a start and connects after a restart', () => {
  const { actor, seen, send, value } = scene()
  send({ type: 'START_FAILED', failure: { message: 'No', code: 'DEADLINE', phase: 'queued' } })
  expect(value()).toBe('ERROR')
  expect(actor.getSnapshot().context.failure?.code).toBe('DEADLINE')
  send({ type: 'RESTART' })
  expect(value()).toBe('RESTARTING')
  expect(actor.getSnapshot().context.failure).toBeNull()
  send({ type: 'STARTED', box })
  expect(value()).toEqual({ LINKED: 'CONNECTING' })
  expect(seen).toMatchObject({ starts: 1, restarts: 1, reloads: 0, connections: 1 })
})

it('fails when the first connection does not come about, and lets go of it', () => {
  const { actor, seen, send, value } = scene()
  send({ type: 'STARTED', box }, lost)
  expect(value()).toBe('ERROR')
  expect(actor.getSnapshot().context.failure).toMatchObject({ message: 'gone', phase: 'connecting' })
  expect(seen.disposed).toBe(1)
})

it('reloads the page one second after a restart under an open editor', () => {
  const { clock, seen, send, value } = scene()
  send({ type: 'STARTED', box }, { type: 'CONNECTED' }, { type: 'RESTART' })
  expect(value()).toEqual({ LINKED: 'RESTARTING' })
  send(lost, { type: 'RESTART' })
  send({ type: 'STARTED', box })
  expect(value()).toEqual({ LINKED: 'RELOADING' })
  clock.increment(reloadDelay - 1)
  expect(seen.reloads).toBe(0)
  clock.increment(1)
  expect(seen).toMatchObject({ restarts: 1, reloads: 1 })
})

it('is disconnected, with the reason, when a restart fails under an open editor', () => {
  const { actor, send, value } = scene()
  send({ type: 'STARTED', box }, { type: 'CONNECTED' }, { type: 'RESTART' })
  send({ type: 'START_FAILED', failure: { message: 'The disk is full' } })
  expect(value()).toEqual({ LINKED: 'DISCONNECTED' })
  expect(actor.getSnapshot().context.failure?.message).toBe('The disk is full')
})

/** What the connection to the machine tells, as the page hears it. */
const told = (state: ConnectionState): BoxEvent => {
  const event = connectionEvent(state)
  if (event === null) throw new Error(`${state.kind} tells nothing`)
  return event
}
const connected = told({ kind: 'CONNECTED', connectedAt: 1 })
const late = { reason: 'Pong response not detected', code: undefined, wasFocused: true, disconnectedAt: 1 }
const reconnecting = told({ kind: 'RECONNECTING', attempt: 1, disconnect: { ...late, wasClean: false } })
const unclean = told({ kind: 'DISCONNECTED', ...late, wasClean: false })
const clean = told({ kind: 'DISCONNECTED', ...late, reason: 'stopped', code: 1000, wasClean: true })
const asleep = told({ kind: 'HIBERNATED', hibernatedAt: 1 })
const restart: BoxEvent = { type: 'RESTART' }
const failed: BoxEvent = { type: 'START_FAILED', failure: { message: 'No' } }
const open: readonly BoxEvent[] = [{ type: 'STARTED', box }, connected]

it.each<[from: string, way: readonly BoxEvent[], event: BoxEvent, to: string]>([
  ['READY', open, reconnecting, 'RECONNECTING'],
  ['READY', open, unclean, 'DISCONNECTED'],
  ['READY', open, clean, 'DISCONNECTED'],
  ['READY', open, restart, 'RESTARTING'],
  ['READY', open, asleep, 'HIBERNATED'],
  ['RECONNECTING', [...open, reconnecting], connected, 'READY'],
  ['RECONNECTING', [...open, reconnecting], unclean, 'DISCONNECTED'],
  ['RECONNECTING', [...open, reconnecting], restart, 'RESTARTING'],
  ['DISCONNECTED', [...open, unclean], reconnecting, 'DISCONNECTED_RECONNECTING'],
  ['DISCONNECTED', [...open, clean], { type: 'RECONNECT' }, 'DISCONNECTED_RECONNECTING'],
  ['DISCONNECTED', [...open, unclean], restart, 'RESTARTING'],
  ['DISCONNECTED', [...open, unclean], connected, 'READY'],
  ['DISCONNECTED_RECONNECTING', [...open, unclean, reconnecting], connected, 'READY'],
  ['DISCONNECTED_RECONNECTING', [...open, unclean, reconnecting], unclean, 'DISCONNECTED'],
  ['DISCONNECTED_RECONNECTING', [...open, unclean, reconnecting], restart, 'RESTARTING'],
  ['HIBERNATED', [...open, asleep], connected, 'READY'],
  ['HIBERNATED', [...open, asleep], reconnecting, 'DISCONNECTED_RECONNECTING'],
  ['HIBERNATED', [...open, asleep], restart, 'RESTARTING'],
  ['RESTARTING', [...open, restart], failed, 'DISCONNECTED'],
  ['ERROR', [failed], restart, 'RESTARTING'],
  ['RESTARTING', [failed, restart], failed, 'ERROR'],
])('BX880: %s leads to another state by what the machine tells (%#)', (from, way, event, to) => {
  const { actor, send } = scene()
  // States by their names, whether the page has an editor open by then or not.
  const name = (): string => {
    const { value } = actor.getSnapshot()
    return typeof value === 'string' ? value : (Object.values(value)[0] as string)
  }
  send(...way)
  expect(name()).toBe(from)
  send(event)
  expect(name()).toBe(to)
  if (event.type === 'DISCONNECTED')
    expect(actor.getSnapshot().context.disconnect).toEqual({ reason: event.reason, wasClean: event.wasClean })
})

import { expect, it } from 'vitest'
import { connectionEvent } from './connectionEvent.ts'

const disconnect = { reason: 'gone', code: 1006, wasClean: false, wasFocused: true, disconnectedAt: 0 }

it('tells what the page needs of each state', () => {
  expect(connectionEvent({ kind: 'IDLE' })).toBeNull()
  expect(connectionEvent({ kind: 'CONNECTING', attempt: 1 })).toBeNull()
  expect(connectionEvent({ kind: 'CONNECTED', connectedAt: 1 })).toEqual({ type: 'CONNECTED' })
  expect(connectionEvent({ kind: 'RECONNECTING', attempt: 2, disconnect })).toEqual({
    type: 'RECONNECTING',
    attempt: 2,
  })
  expect(connectionEvent({ kind: 'DISCONNECTED', ...disconnect })).toEqual({
    type: 'DISCONNECTED',
    reason: 'gone',
    wasClean: false,
  })
  expect(connectionEvent({ kind: 'HIBERNATED', hibernatedAt: 1 })).toEqual({ type: 'HIBERNATED' })
})

import { expect, it } from 'vitest'
import { statusText } from './statusText.ts'

const disconnect = { reason: 'Browser is offline', code: 1006, wasClean: false, wasFocused: true, disconnectedAt: 0 }

it('WB60: says in words what is saved while connected', () => {
  const connected = { kind: 'CONNECTED', connectedAt: 0 } as const
  expect(statusText(connected, 'saved').text).toContain('Saved')
  expect(statusText(connected, 'saving').text).toContain('Saving')
  expect(statusText(connected, 'unsaved').text).toContain('Not saved')
  expect(statusText(connected, 'full')).toMatchObject({ text: expect.stringContaining('Disk full'), kind: 'error' })
})

it('WB61: says in words how the connection is, and that what is typed is kept', () => {
  expect(statusText({ kind: 'CONNECTING', attempt: 1 }, 'offline').text).toContain('Connecting')
  expect(statusText({ kind: 'RECONNECTING', attempt: 2, disconnect }, 'offline')).toMatchObject({
    text: expect.stringContaining('attempt 2'),
    tooltip: expect.stringContaining('kept'),
    kind: 'warning',
  })
  expect(statusText({ kind: 'DISCONNECTED', ...disconnect }, 'offline')).toMatchObject({
    tooltip: expect.stringContaining('Browser is offline'),
    kind: 'error',
  })
  expect(statusText({ kind: 'HIBERNATED', hibernatedAt: 0 }, 'offline').text).toContain('Asleep')
})

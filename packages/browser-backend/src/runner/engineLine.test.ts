import { expect, it, vi } from 'vitest'
import type { ToRunner } from '../common/messages.ts'
import { EngineLine } from './engineLine.ts'

it('BB961: what a page says before somebody compiles for it is told after its start', () => {
  const line = new EngineLine()
  line.send({ type: 'rendered' })
  const postMessage = vi.fn<(message: object) => void>()
  const port = { postMessage, onmessage: null as ((event: { data: ToRunner }) => void) | null }
  const received: ToRunner[] = []
  line.connect(port as unknown as MessagePort, (message) => received.push(message))
  line.send({ type: 'address', path: '/a' })
  expect(postMessage.mock.calls.map(([message]) => message)).toEqual([
    { type: 'start' },
    { type: 'rendered' },
    { type: 'address', path: '/a' },
  ])
  port.onmessage!({ data: { type: 'reload' } })
  expect(received).toEqual([{ type: 'reload' }])
})

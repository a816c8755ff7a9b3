import { Emitter, type ConnectionState } from '@boxyard/dev-server-client'
import { expect, it, vi } from 'vitest'
import { ServerLink } from './ServerLink.ts'
import type { VsCodeServerStart } from './vsCodeServerPlace.ts'

const server = { result: 'running', port: 50_007, token: 'one', commit: 'c' } as const

/** A page with the server, whose connection and whose starts the test plays. */
function page() {
  const states = new Emitter<ConnectionState>()
  const joins = new Emitter<never>()
  const starts: ((start: VsCodeServerStart) => void)[] = []
  const link = new ServerLink({
    place: { start: () => new Promise((resolve) => void starts.push(resolve)) },
    connection: {
      state: { kind: 'CONNECTED', connectedAt: 0 },
      onDidChangeState: states.event,
      onDidJoin: joins.event,
    },
    server,
  })
  const seen: string[] = []
  const ends: string[] = []
  link.onDidChange(() => void seen.push(link.state))
  link.onDidEnd((text) => void ends.push(text))
  return {
    link,
    seen,
    ends,
    starts,
    become: (kind: 'HIBERNATED' | 'RECONNECTING' | 'CONNECTED') => states.fire({ kind } as ConnectionState),
    join: () => joins.fire(undefined as never),
  }
}
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

it('WB1034: after a sleep, or a lost connection, the server is asked for before anything connects to it again', async () => {
  const { link, seen, ends, starts, become, join } = page()
  await link.whenConnected()
  join()
  expect(starts).toHaveLength(0)

  become('HIBERNATED')
  const waits = vi.fn()
  void link.whenConnected().then(waits)
  become('RECONNECTING')
  become('CONNECTED')
  join()
  await settled()
  expect([link.state, starts.length, waits.mock.calls.length]).toEqual(['away', 1, 0])
  starts[0]!(server)
  await settled()
  expect([link.state, waits.mock.calls.length]).toEqual(['connected', 1])
  expect(seen).toEqual(['away', 'connected'])
  expect(ends).toEqual([])
})

it('WB1034: of a connection that is lost again meanwhile nothing counts', async () => {
  const { link, starts, become, join } = page()
  become('RECONNECTING')
  join()
  become('RECONNECTING')
  starts[0]!(server)
  await settled()
  expect(link.state).toBe('away')
  join()
  starts[1]!(server)
  await settled()
  expect(link.state).toBe('connected')
})

it.each([
  [{ ...server, token: 'two' }, /^The VS Code server ended with the machine and was started anew\./],
  [
    { result: 'error', error: 'Waiting for port timed out' } as const,
    /^The VS Code server did not start again: Waiting for port timed out\. /,
  ],
])('WB1035: a server that has ended is told of once, and nothing connects to another: %j', async (start, text) => {
  const { link, seen, ends, starts, become, join } = page()
  become('HIBERNATED')
  const waits = vi.fn()
  void link.whenConnected().then(waits)
  join()
  starts[0]!(start)
  await settled()
  become('RECONNECTING')
  join()
  await settled()
  expect(seen).toEqual(['away', 'ended'])
  expect(ends).toEqual([expect.stringMatching(text)])
  expect(ends[0]).toContain('your files and texts are as they were')
  expect([starts.length, waits.mock.calls.length]).toEqual([1, 0])
})

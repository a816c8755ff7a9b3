import { expect, it } from 'vitest'
import { ManualTimers } from '../shell/manualTimers.ts'
import type { ListeningSocket } from './parseListeningSockets.ts'
import { PortMonitor } from './PortMonitor.ts'

function monitorOf(excluded: number[] = []): {
  timers: ManualTimers
  monitor: PortMonitor
  changes: number[][]
  open: (...ports: number[]) => void
} {
  const timers = new ManualTimers()
  const changes: number[][] = []
  let sockets: ListeningSocket[] = []
  const monitor = new PortMonitor({
    read: () => Promise.resolve(sockets),
    timers,
    excluded: new Set(excluded),
    report: (error) => {
      throw error
    },
  })
  monitor.onChange((list) => void changes.push(list.map(({ port }) => port)))
  return { timers, monitor, changes, open: (...ports) => (sockets = ports.map((port) => ({ port, inode: port }))) }
}

it('PO2: a change is told once, sorted, each port once and without the ports of the dev server', async () => {
  const { monitor, changes, open } = monitorOf([16_380])
  open(16_380, 4000, 3000, 3000)
  await monitor.refresh()
  await monitor.refresh()
  open()
  await monitor.refresh()
  expect(changes).toEqual([[3000, 4000], []])
})

it('PO3: the kernel is asked seldom while all is quiet and often after a process was active', async () => {
  const { timers, monitor } = monitorOf()
  await monitor.refresh()
  expect(timers.next).toBe(2000)
  monitor.activity()
  expect(timers.next).toBe(200)
  timers.pass(200)
  await monitor.refresh()
  expect(timers.next).toBe(200)
  timers.pass(10_000)
  await monitor.refresh()
  expect(timers.next).toBe(2000)
  await monitor.dispose()
  expect(timers.next).toBeUndefined()
})

it('PO3: a failed reading is reported and does not end the watch', async () => {
  const timers = new ManualTimers()
  const reported: unknown[] = []
  const monitor = new PortMonitor({
    read: () => Promise.reject(new Error('no /proc')),
    timers,
    excluded: new Set(),
    report: (error) => reported.push(error),
  })
  await monitor.refresh()
  expect(reported).toHaveLength(1)
  expect(timers.next).toBe(2000)
})

import { expect, it } from 'vitest'
import { ManualTimers } from '../shell/manualTimers.ts'
import { connectionsOf, RecordingConnection } from '../shell/testing.ts'
import { createSystemArea } from './systemArea.ts'

const usage = {
  cpuSeconds: 1,
  cpuLimit: 1,
  memoryBytes: 1,
  memoryTotalBytes: 2,
  memoryLimitBytes: null,
  storageBytes: 1,
  storageTotalBytes: 2,
}

it('SY4: metrics go every 5 s to those who asked, and nothing is read while nobody did', async () => {
  const timers = new ManualTimers()
  const silent = new RecordingConnection({ clientId: 'silent', isSubscribed: false })
  const listener = new RecordingConnection({ clientId: 'listener' })
  const connections = connectionsOf(silent)
  let reads = 0
  const area = await createSystemArea({
    connections,
    timers,
    readUsage: () => {
      reads++
      return Promise.resolve({ ...usage, cpuSeconds: reads })
    },
    report: (error) => {
      throw error
    },
  })
  area.joined?.(silent)
  expect(timers.next).toBeUndefined()

  connections.add(listener)
  area.joined?.(listener)
  expect(timers.next).toBe(5000)
  timers.pass(5000)
  expect((await listener.next('system/metrics')).cpu.used).toBe(20)
  expect(silent.recorded).toEqual([])
  expect(reads).toBe(2)
  await area.dispose()
})

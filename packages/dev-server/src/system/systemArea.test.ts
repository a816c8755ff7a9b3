import type { Metrics } from '@boxyard/protocol'
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
  storageLimitBytes: null,
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

it('SY740: tells what the platform says of memory and disk, and what it said last while it can not be asked', async () => {
  const timers = new ManualTimers()
  const reported: unknown[] = []
  const answers = [
    () => Promise.resolve({ cpuLimit: 2, memoryBytes: 1024 ** 3, storageBytes: 3e9, storageLimitBytes: 20e9 }),
    () => Promise.reject(new Error('nobody answers')),
  ]
  const area = await createSystemArea({
    connections: connectionsOf(),
    timers,
    readUsage: () => Promise.resolve({ ...usage, memoryTotalBytes: 8 * 1024 ** 3, storageTotalBytes: 100e9 }),
    askForUsage: () => answers.shift()!(),
    report: (error) => reported.push(error),
  })
  const metrics = area.handlers['system/metrics'] as () => Promise<Metrics>
  timers.pass(1000)
  const told = {
    cpu: { configured: 2 },
    memory: { used: 1, total: 8, configured: 8 },
    storage: { used: 3, total: 100, configured: 20 },
  }
  expect(await metrics()).toMatchObject(told)
  timers.pass(1000)
  expect(await metrics()).toMatchObject(told)
  expect(reported).toEqual([new Error('nobody answers')])
  await area.dispose()
})

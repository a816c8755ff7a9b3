import { expect, it } from 'vitest'
import { toMetrics } from './toMetrics.ts'

const usage = {
  cpuSeconds: 10,
  cpuLimit: 1.5,
  memoryBytes: 1024 ** 3,
  memoryTotalBytes: 8 * 1024 ** 3,
  memoryLimitBytes: 2 * 1024 ** 3,
  storageBytes: 5e9,
  storageTotalBytes: 20e9,
  storageLimitBytes: null,
}

it('SY1: processor use is percent of one core between two readings, memory GiB, storage GB', () => {
  expect(toMetrics(usage, { ...usage, cpuSeconds: 12.5 }, 5, 2)).toEqual({
    cpu: { cores: 2, used: 50, configured: 1.5 },
    memory: { used: 1, total: 8, configured: 2 },
    storage: { used: 5, total: 20, configured: 20 },
  })
})

it('SY1: without a limit the total is configured, and use is never negative', () => {
  const metrics = toMetrics(usage, { ...usage, cpuSeconds: 3, memoryLimitBytes: null }, 5, 2)
  expect(metrics.cpu.used).toBe(0)
  expect(metrics.memory.configured).toBe(8)
  expect(toMetrics(usage, { ...usage, storageLimitBytes: 10e9 }, 5, 2).storage).toEqual({
    used: 5,
    total: 20,
    configured: 10,
  })
})

it('SY1: a process that is seen first brings its time of before, which no processor has worked now', () => {
  expect(toMetrics(usage, { ...usage, cpuSeconds: 40 }, 5, 2).cpu.used).toBe(200)
  expect(toMetrics(usage, { ...usage, cpuSeconds: 40 }, 0, 2).cpu.used).toBe(0)
})

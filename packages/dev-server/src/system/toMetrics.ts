import type { Metrics } from '@boxyard/protocol'
import type { Usage } from './readUsage.ts'

const GIB = 1024 ** 3
const GB = 1000 ** 3

/**
 * Metrics of the time between two readings.
 *
 * @param seconds between the readings; zero for the first one, whose processor use is not known yet and told as zero
 */
export function toMetrics(before: Usage, now: Usage, seconds: number, cores: number): Metrics {
  // Where time is added up from the processes that can be seen, one that ended takes its time with it, and one that is seen first brings all of it.
  const cpuSeconds = Math.min(Math.max(0, now.cpuSeconds - before.cpuSeconds), cores * seconds)
  return {
    cpu: { cores, used: seconds > 0 ? round((cpuSeconds / seconds) * 100) : 0, configured: round(now.cpuLimit) },
    memory: {
      used: round(now.memoryBytes / GIB),
      total: round(now.memoryTotalBytes / GIB),
      configured: round((now.memoryLimitBytes ?? now.memoryTotalBytes) / GIB),
    },
    storage: {
      used: round(now.storageBytes / GB),
      total: round(now.storageTotalBytes / GB),
      configured: round((now.storageLimitBytes ?? now.storageTotalBytes) / GB),
    },
  }
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}

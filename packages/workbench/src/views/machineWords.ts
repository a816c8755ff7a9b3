import type { Metrics } from '@boxyard/protocol'

/** One measure of the machine: in words, and as a share of what there is. */
export interface Measure {
  name: string
  words: string
  /** 0..1 */
  share: number
}

/** What the machine has to do. Each limit is the smaller of what the host has and what the box may use. */
export function measuresOf({ cpu, memory, storage }: Metrics): Measure[] {
  const cores = limitOf(cpu.cores, cpu.configured)
  return [
    {
      name: 'CPU',
      words: `${Math.round(cpu.used)} % of ${cores} ${cores === 1 ? 'core' : 'cores'}`,
      share: shareOf(cpu.used / 100, cores),
    },
    sizeOf('Memory', memory, 'GiB'),
    sizeOf('Disk', storage, 'GB'),
  ]
}

function sizeOf(name: string, { used, total, configured }: Metrics['memory'], unit: string): Measure {
  const limit = limitOf(total, configured)
  return { name, words: `${used.toFixed(1)} of ${limit.toFixed(1)} ${unit}`, share: shareOf(used, limit) }
}

function limitOf(total: number, configured: number): number {
  return configured > 0 ? Math.min(total, configured) : total
}

function shareOf(used: number, limit: number): number {
  return limit > 0 ? Math.min(1, Math.max(0, used / limit)) : 0
}

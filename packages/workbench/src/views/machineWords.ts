import type { Metrics } from '@boxyard/protocol'
import type { MachineSize } from '../index.ts'

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
    sizeOf('Memory', memory, ['MiB', 'GiB', 1024]),
    sizeOf('Disk', storage, ['MB', 'GB', 1000]),
  ]
}

/** A size that can be chosen. */
export function sizeWords({ name, cpu, memory, storage }: MachineSize): string {
  return `${name}: ${cpu} ${cpu === 1 ? 'core' : 'cores'}, ${memory} GiB, ${storage} GB disk`
}

/** A unit, the next larger one, and how many of the first it has. */
type Units = [small: string, large: string, ratio: number]

function sizeOf(name: string, { used, total, configured }: Metrics['memory'], units: Units): Measure {
  const limit = limitOf(total, configured)
  const [small, large, ratio] = units
  const isSmall = used < 1
  const amount = isSmall ? `${Math.round(used * ratio)} ${small}` : `${rounded(used)}`
  return { name, words: `${amount} of ${rounded(limit)} ${large}`, share: shareOf(used, limit) }
}

/** With at most one decimal. */
function rounded(size: number): number {
  return Math.round(size * 10) / 10
}

function limitOf(total: number, configured: number): number {
  return configured > 0 ? Math.min(total, configured) : total
}

function shareOf(used: number, limit: number): number {
  return limit > 0 ? Math.min(1, Math.max(0, used / limit)) : 0
}

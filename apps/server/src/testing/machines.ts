import { Readable } from 'node:stream'
import type { MachineDirectory, MachineSource } from '../sandboxes/index.ts'

/** Remembers what it was asked for. `failing` makes the next creation fail after the sandbox was written. */
export interface RecordingMachines extends MachineDirectory {
  created: Map<string, MachineSource>
  stopped: string[]
  removed: string[]
  resized: [sandboxId: string, tier: number][]
  idleTimes: Map<string, number | null>
  failing: Error | null
}

export function recordingMachines(): RecordingMachines {
  const machines: RecordingMachines = {
    created: new Map(),
    stopped: [],
    removed: [],
    resized: [],
    idleTimes: new Map(),
    failing: null,
    async create(sandboxId, source) {
      if (machines.failing) throw machines.failing
      machines.created.set(sandboxId, source)
    },
    async stop(sandboxId) {
      machines.stopped.push(sandboxId)
    },
    async remove(sandboxId) {
      machines.removed.push(sandboxId)
    },
    async resize(sandboxId, tier) {
      machines.resized.push([sandboxId, tier])
    },
    async setIdleTime(sandboxId, minutes) {
      machines.idleTimes.set(sandboxId, minutes)
    },
    async archive(sandboxId) {
      if (machines.failing) throw machines.failing
      return Readable.from([`archive of ${sandboxId}`])
    },
  }
  return machines
}

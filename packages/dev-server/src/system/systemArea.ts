import { availableParallelism } from 'node:os'
import type { Metrics } from '@boxyard/protocol'
import type { Area, Connection, Connections } from '../area.ts'
import type { Timers } from '../shell/Timers.ts'
import type { ToldUsage } from './askForUsage.ts'
import type { Usage } from './readUsage.ts'
import { toMetrics } from './toMetrics.ts'

const PUSH_MS = 5000
/** A reading that is asked for within this time of the last one answers the last one. */
const FRESH_MS = 500

export interface SystemAreaDependencies {
  connections: Connections
  readUsage: () => Promise<Usage>
  /** Asks the platform what it knows better; missing where there is none. */
  askForUsage?: (() => Promise<ToldUsage | undefined>) | undefined
  /** Has the platform put this box to sleep; missing where there is no platform to ask. */
  sleep?: (() => Promise<void>) | undefined
  timers: Timers
  report: (error: unknown) => void
}

/** Metrics, signs of life and hibernation. See SPEC-shells.md, rules SY1 and on. */
export async function createSystemArea(dependencies: SystemAreaDependencies): Promise<Area> {
  const { connections, readUsage, askForUsage, sleep, timers, report } = dependencies
  const cores = availableParallelism()
  const wantsMetrics = (connection: Connection): boolean => connection.subscriptions.system?.metrics === true
  let last = { usage: await readUsage(), at: timers.now() }
  let metrics: Metrics | undefined
  let reading: Promise<Metrics> | undefined
  let cancel: (() => void) | undefined
  let told: ToldUsage | undefined

  const ask = async (): Promise<void> => {
    try {
      told = await askForUsage?.()
    } catch (error) {
      // A platform that is away for a moment has told already what the box may take; that it can't be asked is said, not thrown.
      report(error)
    }
  }

  const read = async (): Promise<Metrics> => {
    if (metrics && timers.now() - last.at < FRESH_MS) return metrics
    const [own] = await Promise.all([readUsage(), ask()])
    const usage = { ...own, ...told }
    const at = timers.now()
    metrics = toMetrics(last.usage, usage, (at - last.at) / 1000, cores)
    last = { usage, at }
    return metrics
  }
  const current = (): Promise<Metrics> =>
    (reading ??= read().finally(() => {
      reading = undefined
    }))
  const push = (): void => {
    cancel = undefined
    if (![...connections.all()].some(wantsMetrics)) return
    cancel = timers.after(PUSH_MS, () => {
      current()
        .then((now) => connections.broadcast('system/metrics', now, { only: wantsMetrics }))
        .catch(report)
        .finally(push)
    })
  }

  return {
    handlers: {
      'system/update': () => ({}),
      ...(sleep && {
        'system/hibernate': async () => {
          await sleep()
          return null
        },
      }),
      'system/metrics': current,
    },
    joined(connection) {
      if (!cancel && wantsMetrics(connection)) push()
    },
    async dispose() {
      cancel?.()
      await reading
    },
  }
}

import { loadavg } from 'node:os'

export interface Load {
  /** Runnable processes, averaged over a minute. Above the number of cores the machine is busy, and seconds say little. */
  loadBefore: number
  loadHighest: number
  loadAfter: number
}

/** Watches how busy the machine is until `end`. */
export function watchLoad(): { end(): Load } {
  const now = () => Number(loadavg()[0]!.toFixed(2))
  const loadBefore = now()
  let loadHighest = loadBefore
  const timer = setInterval(() => (loadHighest = Math.max(loadHighest, now())), 5_000)
  timer.unref()
  return {
    end() {
      clearInterval(timer)
      const loadAfter = now()
      return { loadBefore, loadHighest: Math.max(loadHighest, loadAfter), loadAfter }
    },
  }
}

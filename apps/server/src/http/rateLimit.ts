import { ApiError } from '@boxyard/api'
import type { FastifyRequest } from 'fastify'

/** Beyond this many addresses the oldest are forgotten. */
const MOST_KEYS = 10_000

/** Allows `limit` calls per address and window. Counts in memory: a restart forgives. */
export function rateLimit(options: { limit: number; windowMs: number; now?: () => number }) {
  const now = options.now ?? Date.now
  const windows = new Map<string, { start: number; count: number }>()

  return async (request: Pick<FastifyRequest, 'ip'>): Promise<void> => {
    const time = now()
    const current = windows.get(request.ip)
    const window = current && time - current.start < options.windowMs ? current : { start: time, count: 0 }
    window.count += 1
    windows.delete(request.ip)
    windows.set(request.ip, window)
    if (windows.size > MOST_KEYS) windows.delete(windows.keys().next().value!)
    if (window.count > options.limit) throw new ApiError('RATE_LIMITED')
  }
}

import { describe, expect, it } from 'vitest'
import { rateLimit } from './rateLimit.ts'

describe('a rate limit', () => {
  it('refuses beyond the limit of one address until its window is over', async () => {
    let time = 0
    const limit = rateLimit({ limit: 2, windowMs: 1000, now: () => time })
    await limit({ ip: '10.0.0.1' })
    await limit({ ip: '10.0.0.1' })
    await expect(limit({ ip: '10.0.0.1' })).rejects.toMatchObject({ code: 'RATE_LIMITED', status: 429 })
    await limit({ ip: '10.0.0.2' })
    time = 1000
    await limit({ ip: '10.0.0.1' })
  })
})

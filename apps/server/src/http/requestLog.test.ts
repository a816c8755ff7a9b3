import { describe, expect, it } from 'vitest'
import { requestLevel } from './requestLog.ts'

describe('the log of requests', () => {
  it.each([
    ['/assets/index-1a2b.js', 200, 'debug'],
    ['/devbox/abc123', 200, 'debug'],
    ['/api/health', 200, 'debug'],
    ['/api/health', 503, 'warn'],
    ['/apiary', 200, 'debug'],
    ['/assets/gone.js', 404, 'info'],
    ['/api/v1/users/current', 200, 'info'],
    ['/auth/github?version=2', 303, 'info'],
    ['/_git/login', 401, 'info'],
    ['/api/vm/abc123/start', 503, 'warn'],
  ])('%s with %s is %s', (url, status, level) => {
    expect(requestLevel(url, status)).toBe(level)
  })
})

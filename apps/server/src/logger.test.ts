import { describe, expect, it } from 'vitest'
import { withoutSecrets } from './logger.ts'

describe('addresses in the log', () => {
  it('keep the names of their parameters and lose the values', () => {
    expect(withoutSecrets('/box/abc?token=secret&v=2')).toBe('/box/abc?token=…&v=…')
    expect(withoutSecrets('/api/health')).toBe('/api/health')
  })
})

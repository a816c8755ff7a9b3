import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createSealer } from './sealer.ts'

describe('sealed values', () => {
  const key = randomBytes(32)
  const sealer = createSealer(key)

  it('AP12: open for their purpose and key, and say nothing otherwise', () => {
    const sealed = sealer.seal('s3cret ✓', 'secret:abc123:TOKEN')
    expect(sealed).not.toContain('s3cret')
    expect(sealer.open(sealed, 'secret:abc123:TOKEN')).toBe('s3cret ✓')
    expect(() => sealer.open(sealed, 'secret:other1:TOKEN')).toThrow()
    expect(() => createSealer(randomBytes(32)).open(sealed, 'secret:abc123:TOKEN')).toThrow()
    const tampered = `${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`
    expect(() => sealer.open(tampered, 'secret:abc123:TOKEN')).toThrow()
  })

  it('differ each time', () => {
    expect(sealer.seal('same', 'p')).not.toBe(sealer.seal('same', 'p'))
  })
})

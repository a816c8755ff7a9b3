import { describe, expect, it } from 'vitest'
import { clientColor } from './color.ts'
import { ReconnectTokens } from './reconnectToken.ts'

const client = (clientId: string) => ({ clientId, username: 'ada' })

describe('identity', () => {
  it('DS17: a reconnect token works for its user, unchanged, until it expires', () => {
    let now = 1_000_000
    const tokens = new ReconnectTokens(new Uint8Array(32).fill(7), () => now)
    const token = tokens.issue('client-1', 'user-1')
    expect(token).toMatch(/^[\w.-]+$/)
    expect(tokens.read(token, 'user-1')).toBe('client-1')
    expect(tokens.read(token, 'user-2')).toBeUndefined()
    expect(tokens.read(token.replace('client-1', 'client-2'), 'user-1')).toBeUndefined()
    expect(new ReconnectTokens(new Uint8Array(32).fill(8), () => now).read(token, 'user-1')).toBeUndefined()
    for (const broken of ['', '.', '..', 'a.b.c', `${token}.x`, token.slice(0, -1)]) {
      expect(tokens.read(broken, 'user-1')).toBeUndefined()
    }
    now += 24 * 60 * 60 * 1000
    expect(tokens.read(token, 'user-1')).toBeUndefined()
  })

  it('DS18: colors differ while there are hues, and all have one lightness', () => {
    const taken = new Set<string>()
    for (let index = 0; index < 24; index += 1) taken.add(clientColor(client(`client-${index}`), taken))
    expect(taken.size).toBe(24)
    for (const color of taken) expect(Math.abs(lightness(color) - 0.72)).toBeLessThan(0.04)
    expect(clientColor(client('a'), new Set())).toBe(clientColor(client('a'), new Set()))
    expect(clientColor(client('one more'), taken)).toMatch(/^#[0-9a-f]{6}$/)
  })

  it('DS18: everybody without an account is red', () => {
    const visitors = ['a', 'b'].map((clientId) =>
      clientColor({ clientId, username: 'anonymous' }, new Set(['#FF0000'])),
    )
    expect(visitors).toEqual(['#FF0000', '#FF0000'])
  })
})

/** OKLab lightness of an sRGB color. */
function lightness(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const value = Number.parseInt(color.slice(start, start + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  return 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s
}

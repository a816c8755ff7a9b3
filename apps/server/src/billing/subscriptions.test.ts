import { describe, expect, it } from 'vitest'
import { nextBill, orderOf, totalOf } from './subscriptions.ts'

describe('bills', () => {
  it.each([
    ['2026-01-15', 'monthly', '2026-02-15'],
    ['2026-01-31', 'monthly', '2026-02-28'],
    ['2026-12-31', 'monthly', '2027-01-31'],
    ['2024-02-29', 'yearly', '2025-02-28'],
  ] as const)('after %s, %s, come on %s', (from, interval, next) => {
    expect(nextBill(new Date(`${from}T10:00:00Z`), interval)).toEqual(new Date(`${next}T10:00:00Z`))
  })

  it('add the plan and its add-ons up', () => {
    const addons = ['credits_500', 'credits_4000']
    expect(totalOf(orderOf({ plan: 'flex', addons }))).toBe(900 + 750 + 6000)
    expect(totalOf(orderOf({ plan: 'flex', addons, billingInterval: 'yearly' }))).toBe(10_800 + 9000 + 72_000)
  })

  it.each([
    [{ plan: 'enterprise', addons: [] }],
    [{ plan: 'toString', addons: [] }],
    [{ plan: 'flex', addons: ['__proto__'] }],
    [{ plan: 'free', addons: ['credits_500'] }],
  ])('are refused for %o', (order) => {
    expect(() => orderOf(order)).toThrow()
  })
})

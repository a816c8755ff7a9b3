import type { PlanName } from '@boxyard/api'

/** In the smallest unit of the currency, a month when paid monthly and a month's share when paid yearly. */
export interface Price {
  month: number
  year: number
}

export const CURRENCY = 'USD'

/** What plans cost. An enterprise's price is agreed on, so it is not sold here. */
export const planPrices: Readonly<Record<Exclude<PlanName, 'enterprise'>, Price>> = {
  free: { month: 0, year: 0 },
  flex: { month: 900, year: 10_800 },
  builder: { month: 17_000, year: 204_000 },
}

export const addonPrices: Readonly<Record<string, Price>> = {
  credits_500: { month: 750, year: 9000 },
  credits_4000: { month: 6000, year: 72_000 },
  credits_24000: { month: 36_000, year: 432_000 },
}

export type SoldPlan = keyof typeof planPrices

export function isSoldPlan(name: string): name is SoldPlan {
  return Object.hasOwn(planPrices, name)
}

import { machineTiers, tierNames } from '@boxyard/api'
import type { TierName } from '@boxyard/api'
import type { Tier } from '@boxyard/boxes'

/** A size of machines as boxes are told it, in MiB: by its name or by its number, smallest 1. */
export function boxTier(tier: TierName | number): Tier {
  const name = typeof tier === 'number' ? tierNames[tier - 1] : tier
  if (name === undefined) throw new Error(`There is no size ${tier} of machines`)
  const { cpu, memory, storage } = machineTiers[name]
  return { cpu, memory: memory * 1024, disk: storage * 1024 }
}

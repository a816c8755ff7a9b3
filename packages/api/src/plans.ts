/** What a workspace may have and use each month. Sandboxes beyond the number are kept, but restricted. */
export interface PlanLimits {
  includedCredits: number
  includedDrafts: number
  includedMembers: number
  includedPrivateSandboxes: number
  includedPublicSandboxes: number
  includedSandboxes: number
  /** GB. */
  includedStorage: number
  includedVmTier: number
}

export const planNames = ['free', 'flex', 'builder', 'enterprise'] as const
export type PlanName = (typeof planNames)[number]

export const plans: Readonly<Record<PlanName, PlanLimits>> = {
  free: limits({ credits: 400, drafts: 100, members: 5, sandboxes: 200, storage: 20, vmTier: 2 }),
  flex: limits({ credits: 1000, drafts: 500, members: 20, sandboxes: 1000, storage: 50, vmTier: 4 }),
  builder: limits({ credits: 1600, drafts: 1000, members: 100, sandboxes: 5000, storage: 200, vmTier: 6 }),
  enterprise: limits({
    credits: 100_000,
    drafts: 10_000,
    members: 10_000,
    sandboxes: 100_000,
    storage: 10_000,
    vmTier: 7,
  }),
}

/** Credits that an add-on gives each month, by its id. */
export const addonCredits: Readonly<Record<string, number>> = {
  credits_500: 500,
  credits_4000: 4000,
  credits_24000: 24_000,
}

export const planOf = (name: string): PlanLimits => plans[planNames.find((known) => known === name) ?? 'free']

function limits(plan: {
  credits: number
  drafts: number
  members: number
  sandboxes: number
  storage: number
  vmTier: number
}): PlanLimits {
  const { credits, drafts, members, sandboxes, storage, vmTier } = plan
  return {
    includedCredits: credits,
    includedDrafts: drafts,
    includedMembers: members,
    includedPrivateSandboxes: sandboxes,
    includedPublicSandboxes: sandboxes,
    includedSandboxes: sandboxes,
    includedStorage: storage,
    includedVmTier: vmTier,
  }
}

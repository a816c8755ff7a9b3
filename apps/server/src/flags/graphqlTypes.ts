import type { Builder } from '../graphql/builder.ts'

export interface TeamFeatureFlagsShape {
  friendOfCsb: boolean
  ubbBeta: boolean
}
export interface UserFeatureFlagsShape {
  ubbBeta: boolean
}

/** The types of this domain, so that others can refer to them before they have fields. */
export function flagsTypes(builder: Builder) {
  const teamFeatureFlags = builder.objectRef<TeamFeatureFlagsShape>('TeamFeatureFlags')
  const userFeatureFlags = builder.objectRef<UserFeatureFlagsShape>('UserFeatureFlags')
  return { teamFeatureFlags, userFeatureFlags }
}

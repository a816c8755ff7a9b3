import { definePolicy } from './policy.ts'

/** What someone is to a live session, weakest first. */
export const liveRoles = ['none', 'read', 'write', 'host'] as const
export type LiveRole = (typeof liveRoles)[number]

export const livePolicy = {
  see: ['read', 'write', 'host'],
  /** Type, and use terminals and tasks. */
  edit: ['write', 'host'],
  changePermissions: ['host'],
  stop: ['host'],
} as const satisfies Record<string, readonly LiveRole[]>

export type LiveOperation = keyof typeof livePolicy

export const livePolicies = definePolicy<LiveRole, LiveOperation>(liveRoles, livePolicy)

import type { Builder } from '../graphql/builder.ts'
import type { UserRow } from '../accounts/graphqlTypes.ts'
import type { teams } from '../database/schema.ts'

export type TeamTypeValue = 'personal' | 'team'
export type TeamMemberAuthorizationValue = 'admin' | 'none' | 'read' | 'write'
export type TeamRow = typeof teams.$inferSelect
export type TeamPreviewRow = typeof teams.$inferSelect
export type TeamMemberRow = UserRow
export interface TeamLimitsShape {
  includedCredits: number
  includedDrafts: number
  includedMembers: number
  includedPrivateSandboxes: number
  includedPublicSandboxes: number
  includedSandboxes: number
  includedStorage: number
  includedVmTier: number
  maxEditors: number | null
  maxPrivateProjects: number | null
  maxPrivateSandboxes: number | null
  maxPublicProjects: number | null
  maxPublicSandboxes: number | null
  onDemandCreditLimit: number | null
  onDemandSpendingLimit: number | null
}
export interface TeamMetadataShape {
  useCases: string[]
}
export interface TeamUsageShape {
  credits: number
  editorsQuantity: number
  privateProjectsQuantity: number
  privateSandboxesQuantity: number
  publicProjectsQuantity: number
  publicSandboxesQuantity: number
  restrictedSandboxes: number
  sandboxes: number
  unrestrictedSandboxes: number
}
export interface UserAuthorizationShape {
  authorization: TeamMemberAuthorizationValue
  drafts: number
  teamManager: boolean
  userId: string
}
export type WorkspaceSandboxSettingsRow = typeof teams.$inferSelect
export interface TeamAiConsentShape {
  privateRepositories: boolean
  privateSandboxes: boolean
  publicRepositories: boolean
  publicSandboxes: boolean
}
export interface LimitsShape {
  personalFree: TeamLimitsShape
  personalPro: TeamLimitsShape
  teamFree: TeamLimitsShape
  teamPro: TeamLimitsShape
}

/** The types of this domain, so that others can refer to them before they have fields. */
export function workspacesTypes(builder: Builder) {
  const teamType = builder.enumType('TeamType', {
    values: { PERSONAL: { value: 'personal' }, TEAM: { value: 'team' } } satisfies Record<
      string,
      { value: TeamTypeValue }
    >,
  })
  const teamMemberAuthorization = builder.enumType('TeamMemberAuthorization', {
    values: {
      ADMIN: { value: 'admin' },
      NONE: { value: 'none' },
      READ: { value: 'read' },
      WRITE: { value: 'write' },
    } satisfies Record<string, { value: TeamMemberAuthorizationValue }>,
  })
  const teamMetadataInput = builder.inputType('TeamMetadataInput', {
    fields: (t) => ({
      useCases: t.field({ type: ['String'], required: true }),
    }),
  })
  const memberAuthorization = builder.inputType('MemberAuthorization', {
    fields: (t) => ({
      authorization: t.field({ type: teamMemberAuthorization, required: true }),
      teamManager: t.field({ type: 'Boolean' }),
      userId: t.field({ type: 'UUID4', required: true }),
    }),
  })
  const team = builder.objectRef<TeamRow>('Team')
  const teamPreview = builder.objectRef<TeamPreviewRow>('TeamPreview')
  const teamMember = builder.objectRef<TeamMemberRow>('TeamMember')
  const teamLimits = builder.objectRef<TeamLimitsShape>('TeamLimits')
  const teamMetadata = builder.objectRef<TeamMetadataShape>('TeamMetadata')
  const teamUsage = builder.objectRef<TeamUsageShape>('TeamUsage')
  const userAuthorization = builder.objectRef<UserAuthorizationShape>('UserAuthorization')
  const workspaceSandboxSettings = builder.objectRef<WorkspaceSandboxSettingsRow>('WorkspaceSandboxSettings')
  const teamAiConsent = builder.objectRef<TeamAiConsentShape>('TeamAiConsent')
  const limits = builder.objectRef<LimitsShape>('Limits')
  return {
    teamType,
    teamMemberAuthorization,
    teamMetadataInput,
    memberAuthorization,
    team,
    teamPreview,
    teamMember,
    teamLimits,
    teamMetadata,
    teamUsage,
    userAuthorization,
    workspaceSandboxSettings,
    teamAiConsent,
    limits,
  }
}

import type { Builder } from '../graphql/builder.ts'
import type { customTemplates, gits, sandboxCollaborators, sandboxes, sandboxInvitations } from '../database/schema.ts'
import type { OfficialTemplate } from './templates.ts'
import type { TeamRow } from '../workspaces/graphqlTypes.ts'
import type { UserRow } from '../accounts/graphqlTypes.ts'

export type AuthorizationValue = 'comment' | 'none' | 'owner' | 'read' | 'write_code' | 'write_project'
export type DirectionValue = 'asc' | 'desc'
export type SandboxRow = typeof sandboxes.$inferSelect
export type GitRow = typeof gits.$inferSelect
export type CollaboratorRow = typeof sandboxCollaborators.$inferSelect
export type InvitationRow = typeof sandboxInvitations.$inferSelect
export type CustomTemplate = typeof customTemplates.$inferSelect
/** A template of the installation, or a sandbox that was made one. */
export type AnyTemplate =
  { kind: 'official'; template: OfficialTemplate } | { kind: 'custom'; template: CustomTemplate }
export interface BookmarkedShape {
  entity: TeamRow | UserRow
  isBookmarked: boolean
}
export interface SandboxProtectionSettingsShape {
  preventSandboxExport: boolean
  preventSandboxLeaving: boolean
}
export interface SandboxSettingsShape {
  aiConsent: boolean | null
}
export interface SourceShape {
  id: string | null
  template: string | null
}
/** The types of this domain, so that others can refer to them before they have fields. */
export function sandboxesTypes(builder: Builder) {
  const authorization = builder.enumType('Authorization', {
    values: {
      COMMENT: { value: 'comment' },
      NONE: { value: 'none' },
      OWNER: { value: 'owner' },
      READ: { value: 'read' },
      WRITE_CODE: { value: 'write_code' },
      WRITE_PROJECT: { value: 'write_project' },
    } satisfies Record<string, { value: AuthorizationValue }>,
  })
  const direction = builder.enumType('Direction', {
    values: { ASC: { value: 'asc' }, DESC: { value: 'desc' } } satisfies Record<string, { value: DirectionValue }>,
  })
  const orderBy = builder.inputType('OrderBy', {
    fields: (t) => ({
      direction: t.field({ type: direction, required: true }),
      field: t.field({ type: 'String', required: true }),
    }),
  })
  const sandbox = builder.objectRef<SandboxRow>('Sandbox')
  const git = builder.objectRef<GitRow>('Git')
  const collaborator = builder.objectRef<CollaboratorRow>('Collaborator')
  const invitation = builder.objectRef<InvitationRow>('Invitation')
  const template = builder.objectRef<AnyTemplate>('Template')
  const bookmarked = builder.objectRef<BookmarkedShape>('Bookmarked')
  const sandboxProtectionSettings = builder.objectRef<SandboxProtectionSettingsShape>('SandboxProtectionSettings')
  const sandboxSettings = builder.objectRef<SandboxSettingsShape>('SandboxSettings')
  const source = builder.objectRef<SourceShape>('Source')
  return {
    authorization,
    direction,
    orderBy,
    sandbox,
    git,
    collaborator,
    invitation,
    template,
    bookmarked,
    sandboxProtectionSettings,
    sandboxSettings,
    source,
  }
}

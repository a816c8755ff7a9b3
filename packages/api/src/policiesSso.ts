/** What someone is in a workspace; `none` for whoever does not belong to it. */
export const workspaceRoles = ['none', 'read', 'write', 'admin'] as const
export type WorkspaceRole = (typeof workspaceRoles)[number]

/** Who may do what with the single sign-on of a workspace: one row an operation. */
export const ssoPolicy = {
  /** See how its people sign in, its domains and their proofs. */
  readSso: ['admin'],
  /** Name another identity provider, add and verify domains, make it the only way to sign in. */
  changeSso: ['admin'],
} as const satisfies Record<string, readonly WorkspaceRole[]>

export type SsoOperation = keyof typeof ssoPolicy

export function mayDoWithSso(role: WorkspaceRole, operation: SsoOperation): boolean {
  const allowed: readonly WorkspaceRole[] = ssoPolicy[operation]
  return allowed.includes(role)
}

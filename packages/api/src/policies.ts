/** What someone is to a sandbox, weakest first. */
export const sandboxRoles = ['none', 'read', 'comment', 'write', 'owner'] as const
export type SandboxRole = (typeof sandboxRoles)[number]

/** Who may do what with a sandbox: one row an operation. Clients get the row of their role as abilities and never guess. */
export const sandboxPolicy = {
  /** See that it exists, its title and its author. */
  see: ['read', 'comment', 'write', 'owner'],
  /** Open it in the editor, which starts its machine, and look at its previews. */
  open: ['read', 'comment', 'write', 'owner'],
  comment: ['comment', 'write', 'owner'],
  /** Change files, and use terminals and tasks. */
  edit: ['write', 'owner'],
  /** Stop or restart its machine. */
  restart: ['write', 'owner'],
  rename: ['write', 'owner'],
  /** Make one's own copy. */
  fork: ['read', 'comment', 'write', 'owner'],
  changePrivacy: ['owner'],
  freeze: ['owner'],
  /** Decide who else may do what. */
  share: ['owner'],
  delete: ['owner'],
} as const satisfies Record<string, readonly SandboxRole[]>

export type SandboxOperation = keyof typeof sandboxPolicy
export type SandboxAbilities = Record<SandboxOperation, boolean>

export const sandboxOperations = Object.keys(sandboxPolicy) as SandboxOperation[]

export function mayDo(role: SandboxRole, operation: SandboxOperation): boolean {
  const allowed: readonly SandboxRole[] = sandboxPolicy[operation]
  return allowed.includes(role)
}

export function abilitiesOf(role: SandboxRole): SandboxAbilities {
  return Object.fromEntries(
    sandboxOperations.map((operation) => [operation, mayDo(role, operation)]),
  ) as SandboxAbilities
}

/** The stronger of two roles: someone may have one as a member and another because a sandbox is public. */
export function strongerRole(a: SandboxRole, b: SandboxRole): SandboxRole {
  return sandboxRoles.indexOf(a) >= sandboxRoles.indexOf(b) ? a : b
}

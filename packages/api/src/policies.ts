import { definePolicy } from './policy.ts'

/** What someone is to a sandbox, weakest first. Each level includes the lower ones. */
export const sandboxRoles = ['none', 'read', 'comment', 'write_project', 'write_code', 'owner'] as const
export type SandboxRole = (typeof sandboxRoles)[number]

const fromRead = ['read', 'comment', 'write_project', 'write_code', 'owner'] as const
const fromComment = ['comment', 'write_project', 'write_code', 'owner'] as const
const writers = ['write_project', 'write_code', 'owner'] as const
const coders = ['write_code', 'owner'] as const
const owner = ['owner'] as const

/** Who may do what with a sandbox: one row an operation. Clients get the row of their role as abilities and never guess. */
export const sandboxPolicy = {
  /** See that it exists, its title and its author. */
  see: fromRead,
  /** Open it in the editor, which starts its machine, and look at its previews. */
  open: fromRead,
  comment: fromComment,
  /** Change files, and use terminals and tasks. */
  edit: writers,
  /** Stop or restart its machine. */
  restart: writers,
  rename: writers,
  /** See the names of its secrets, set and remove them. */
  secrets: writers,
  /** Open it in a desktop editor. */
  vscode: coders,
  /** Invite others to edit it together. */
  startLiveSession: writers,
  /** Make one's own copy. */
  fork: fromRead,
  /** Take its files away as an archive. Workspace and sandbox can forbid it to everyone. */
  export: fromRead,
  /** Make it a template of its workspace, or end that. */
  makeTemplate: coders,
  /** Put it into a folder or another workspace. */
  move: coders,
  changePrivacy: owner,
  freeze: owner,
  /** Forbid exporting it and moving it out of its workspace. */
  protect: owner,
  /** Say what artificial intelligence may do with it. */
  consent: owner,
  /** Choose how strong its machine is. */
  changeMachine: coders,
  /** See who has access. */
  seeCollaborators: fromComment,
  /** Decide who else may do what. */
  share: owner,
  /** Move it to the trash, take it back, remove it for good. */
  delete: owner,
} as const satisfies Record<string, readonly SandboxRole[]>

export type SandboxOperation = keyof typeof sandboxPolicy
export type SandboxAbilities = Record<SandboxOperation, boolean>

export const sandboxPolicies = definePolicy<SandboxRole, SandboxOperation>(sandboxRoles, sandboxPolicy)
export const sandboxOperations = sandboxPolicies.operations
export const { mayDo, abilitiesOf } = sandboxPolicies
/** The stronger of two roles: someone may have one as a member and another because a sandbox is public. */
export const strongerRole = sandboxPolicies.stronger

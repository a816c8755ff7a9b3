import { strongerRole } from '@boxyard/api'
import type { SandboxRole } from '@boxyard/api'
import type { LiveSessionPermissionValue } from '../live/graphqlTypes.ts'
import type { MemberAuthorization } from '../workspaces/teams.ts'
import type { Sandbox } from './sandboxes.ts'

/** Everything that gives someone rights in one sandbox. */
export interface SandboxGrounds {
  userId: string
  /** As a member of its workspace. */
  authorization: MemberAuthorization | undefined
  /** As a collaborator. */
  share: SandboxRole | undefined
  /** As a guest of the live session that runs on it. */
  guest: LiveSessionPermissionValue | undefined
}

const PRIVATE = 2
const ofMember = { admin: 'owner', write: 'write_code', read: 'read' } as const
const ofGuest = { write: 'write_project', read: 'read' } as const

/** The strongest of what its privacy, its workspace, its owner and a live session give. A draft is nothing to its workspace. */
export function sandboxRoleOf(sandbox: Sandbox, grounds: SandboxGrounds | null): SandboxRole {
  const everyone: SandboxRole = sandbox.privacy === PRIVATE ? 'none' : 'read'
  if (!grounds) return everyone
  const { userId, authorization, share = 'none', guest } = grounds
  const shared = strongerRole(strongerRole(everyone, share), guest === undefined ? 'none' : ofGuest[guest])
  if (authorization === undefined || authorization === 'none') return shared
  if (sandbox.authorId === userId) return 'owner'
  return sandbox.collectionId === null ? shared : strongerRole(shared, ofMember[authorization])
}

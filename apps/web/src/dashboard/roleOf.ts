import type { SandboxRole } from '@boxyard/api'
import type { SandboxCard } from '../api/queries.ts'

const roles: Readonly<Record<SandboxCard['authorization'], SandboxRole>> = {
  OWNER: 'owner',
  WRITE_PROJECT: 'write_project',
  WRITE_CODE: 'write_code',
  COMMENT: 'comment',
  READ: 'read',
  NONE: 'none',
}

/** What the person is to a sandbox, as the policy tables name it. */
export const roleOf = ({ authorization }: Pick<SandboxCard, 'authorization'>): SandboxRole => roles[authorization]

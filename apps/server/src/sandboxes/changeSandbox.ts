import { ApiError, mayDo } from '@boxyard/api'
import type { SandboxChange, SandboxOperation } from '@boxyard/api'
import type { User } from '../accounts/users.ts'
import { sqlState, UNIQUE_VIOLATION } from '../database/database.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import { authorizeSandboxInTransaction } from './authorizeSandboxes.ts'
import { changeSandboxes, setPrivacy } from './changeSandboxes.ts'
import type { SandboxAccess } from './sandboxes.ts'

/** Which operation each member of a change needs. */
const changePolicy = {
  title: 'rename',
  description: 'rename',
  alias: 'rename',
  privacy: 'changePrivacy',
  is_frozen: 'freeze',
} as const satisfies Record<keyof SandboxChange, SandboxOperation>

/** Changes several things about a sandbox at once, all or none. What is absent stays as it is. */
export async function changeSandbox(
  work: Work,
  user: User,
  idOrAlias: string,
  change: SandboxChange,
): Promise<SandboxAccess> {
  const given = Object.entries(changePolicy).filter(([key]) => change[key as keyof SandboxChange] !== undefined)
  const access = await authorizeSandboxInTransaction(work.tx, idOrAlias, user, given[0]?.[1] ?? 'see')
  if (given.some(([, operation]) => !mayDo(access.role, operation))) throw new ApiError('FORBIDDEN')
  if (given.length === 0) return access
  const { title, description, privacy, is_frozen: isFrozen, alias } = change
  await setPrivacy(work, [access], privacy)
  try {
    const [sandbox] = await changeSandboxes(work, [access], {
      title,
      description,
      isFrozen,
      ...(alias === undefined ? {} : { chosenAlias: alias }),
    })
    return { ...access, sandbox: sandbox! }
  } catch (error) {
    if (sqlState(error) !== UNIQUE_VIOLATION) throw error
    throw new ApiError('CONFLICT', { cause: error, detail: 'Another sandbox has this name in its address' })
  }
}

import type { Sandbox } from '../api/schemas.ts'

/** What the person may do with a devbox or sandbox. */
export interface Capabilities {
  write: boolean
  restartContainer: boolean
  renameProject: boolean
}

/** Write rights are `write_code`; with `write_project` or more the project itself can be changed. Owners may do everything. */
export function capabilitiesOf({
  authorization,
  v2,
  isFrozen,
}: Pick<Sandbox, 'authorization' | 'v2' | 'isFrozen'>): Capabilities {
  const writes = ['owner', 'write_code'].includes(authorization)
  const either = writes || authorization === 'write_project'
  return { write: writes && !isFrozen, restartContainer: either && v2, renameProject: either && !isFrozen }
}

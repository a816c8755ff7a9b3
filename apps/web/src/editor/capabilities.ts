import type { Sandbox } from '../api/schemas.ts'

/** What the person can do on the editor page. */
export interface Capabilities {
  write: boolean
  restartContainer: boolean
  renameProject: boolean
  /** Choose who may look at its ports. */
  share: boolean
}

/** From what the person may do, and from what the sandbox is: frozen ones stay as they are, only devboxes have a machine. */
export function capabilitiesOf({
  abilities,
  v2,
  isFrozen,
}: Pick<Sandbox, 'abilities' | 'v2' | 'isFrozen'>): Capabilities {
  return {
    write: abilities.edit && !isFrozen,
    restartContainer: abilities.restart && v2,
    renameProject: abilities.rename && !isFrozen,
    share: abilities.share && v2,
  }
}

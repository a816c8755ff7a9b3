import type { Sandbox } from '../api/schemas.ts'

/** What the person can do on the editor page. */
export interface Capabilities {
  write: boolean
  restartContainer: boolean
  renameProject: boolean
  /** Have a copy of their own. That of a branch is another branch. */
  fork: boolean
  /** Change a copy of their own where they may not change this one. */
  editCopy: boolean
  /** Choose who may look at its ports. */
  share: boolean
  /** Let guests in for a while. A guest who edits may not; see useLiveSession. */
  live: boolean
  /** Choose how large its machine is. That of a branch is chosen with its repository. */
  resize: boolean
  /** Give it a machine. There is no way back. */
  convert: boolean
}

/** From what the person may do, and from what the sandbox is: frozen ones stay as they are, only devboxes have a machine. */
export function capabilitiesOf({
  abilities,
  v2,
  isFrozen,
  git,
}: Pick<Sandbox, 'abilities' | 'v2' | 'isFrozen' | 'git'>): Capabilities {
  const write = abilities.edit && !isFrozen
  const fork = abilities.fork && !(v2 && git)
  return {
    write,
    fork,
    editCopy: !write && fork,
    restartContainer: abilities.restart && v2,
    renameProject: abilities.rename && !isFrozen,
    share: abilities.share && v2,
    // Branches are shared by the workspace of their repository.
    live: (abilities.edit || abilities.rename) && v2 && !git,
    resize: abilities.changeMachine && v2 && !isFrozen && !git,
    convert: write && abilities.changeMachine && !v2,
  }
}

import { keptEdit } from '../editor/firstText/keptEdit.ts'
import type { KeptEdit } from '../editor/firstText/keptEdit.ts'
import { branchPath } from './branchPath.ts'

/** An edit of a branch that waits for the person to sign in, in this tab. */
export function pendingEdit(storage: Storage, address: Parameters<typeof branchPath>[0]) {
  const waiting = keptEdit(storage, `new-branch-of${branchPath(address)}`)
  return {
    write: (edit: KeptEdit) => waiting.write(edit),
    clear: () => waiting.clear(),
    read: () => waiting.read(),
    /** Hands it to the box of the branch that was made for it. */
    moveTo(id: string): void {
      const edit = waiting.read()
      if (!edit) return
      keptEdit(storage, id).write(edit)
      waiting.clear()
    },
  }
}

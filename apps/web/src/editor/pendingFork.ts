import { keptEdit } from './firstText/keptEdit.ts'
import type { KeptEdit } from './firstText/keptEdit.ts'

/** An edit that waits for the person to sign in, in this tab: then a copy is made for it. */
export function pendingFork(storage: Storage, id: string) {
  const waiting = keptEdit(storage, `fork-of.${id}`)
  return {
    write: (edit: KeptEdit) => waiting.write(edit),
    clear: () => waiting.clear(),
    read: () => waiting.read(),
  }
}

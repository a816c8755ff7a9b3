import { getService, INotificationService } from '@codingame/monaco-vscode-api'
import { report } from '../status/report.ts'
import type { TextBinding } from '../text/textBinding.ts'
import type { TextSync } from '../text/textSync.ts'
import { openBackupStore, type BackupStore, type KeptEdit } from './backupStore.ts'
import { FileBackup } from './fileBackup.ts'
import { operationOf } from './lostEdit.ts'

const LOCK = 'boxyard-page-'

export interface BackupOptions {
  box: string
  sync: TextSync
  /** Opens a file in the editor, by its absolute path. */
  openFile(path: string): Promise<void>
}

/**
 * Keeps edits that the box has not accepted in this browser, and brings those of a page that is gone back. Which pages are still there is
 * told by a lock that each holds as long as it lives; where the browser has none, nothing could be told apart, and nothing is kept.
 */
export async function startBackup({ box, sync, openFile }: BackupOptions): Promise<void> {
  if (!('locks' in navigator)) return
  const page = crypto.randomUUID()
  await holdAsLongAsThePageLives(`${LOCK}${page}`)
  const store = await openBackupStore(box)
  const left = await editsOfGonePages(store)

  let hasComplained = false
  const onError = (error: unknown) => {
    // A full or closed database: said once, because it stays so.
    if (hasComplained) return
    hasComplained = true
    report('What you type while you are offline is kept in this page alone', error)
  }
  const backups = new Set<FileBackup>()
  const follow = (binding: TextBinding) => {
    const { file, model } = binding
    const backup = new FileBackup({ file, store, of: { box, page, path: model.uri.path }, onError })
    backups.add(backup)
    const subscriptions = [
      model.onDidChangeContent(() => queueMicrotask(() => backup.changed())),
      file.onDidChangeSync(() => backup.changed()),
      model.onWillDispose(() => {
        for (const subscription of subscriptions) subscription.dispose()
        backups.delete(backup)
        backup.flush()
      }),
    ]
    backup.changed()
    const mine = left.filter(({ edit }) => edit.path === model.uri.path)
    for (const kept of mine) {
      left.splice(left.indexOf(kept), 1)
      bringBack(binding, kept, store).catch(onError)
    }
  }
  sync.onDidBind(follow)
  for (const binding of sync.bindings.values()) follow(binding)
  window.addEventListener('pagehide', () => {
    for (const backup of backups) backup.flush()
  })
  // A file that nobody opens would keep its edits for ever.
  for (const { edit } of left.slice()) {
    openFile(edit.path).catch((error: unknown) =>
      report(`${edit.path} could not be opened. What was typed into it is still kept in this browser`, error),
    )
  }
}

/** The lock is given back by the browser when the page goes, however it goes. */
function holdAsLongAsThePageLives(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    navigator.locks
      .request(name, () => {
        resolve()
        return new Promise<never>(() => undefined)
      })
      .catch(reject)
  })
}

async function editsOfGonePages(store: BackupStore): Promise<KeptEdit[]> {
  const kept = await store.load()
  const { held = [] } = await navigator.locks.query()
  const alive = new Set(held.map(({ name }) => name))
  return kept.filter(({ page }) => !alive.has(`${LOCK}${page}`)).toSorted((a, b) => a.edit.at - b.edit.at)
}

async function bringBack(binding: TextBinding, { page, edit }: KeptEdit, store: BackupStore): Promise<void> {
  const operation = operationOf(edit, binding.file.text)
  if (operation && binding.bringIn(operation)) {
    const name = edit.path.slice(edit.path.lastIndexOf('/') + 1)
    const notifications = await getService(INotificationService)
    notifications.info(`What had not reached the box was brought back into ${name}. Undo takes it out again.`)
  }
  // From here the edit is one of this page, and kept as such.
  await store.remove(page, edit.path)
}

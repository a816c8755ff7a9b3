import { z } from 'zod'
import { inTime } from '../startup/inTime.ts'
import type { LostEdit } from './lostEdit.ts'

const DATABASE = 'boxyard-backup'
const STORE = 'edits'

const editSchema = z.object({
  box: z.string(),
  path: z.string(),
  known: z.string(),
  sent: z.string(),
  text: z.string(),
  at: z.number(),
})

/** A kept edit, and the page that keeps it. */
export interface KeptEdit {
  page: string
  edit: LostEdit
}

/** Edits of one box in this browser's database, by the page that made them and the path of the file. */
export interface BackupStore {
  load(): Promise<KeptEdit[]>
  put(page: string, edit: LostEdit): Promise<void>
  remove(page: string, path: string): Promise<void>
}

export async function openBackupStore(box: string): Promise<BackupStore> {
  const database = await inTime(openDatabase())
  const run = <T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode)
      const request = work(transaction.objectStore(STORE))
      transaction.addEventListener('complete', () => resolve(request.result))
      transaction.addEventListener('abort', () =>
        reject(transaction.error ?? new Error('The browser could not keep the edit')),
      )
    })
  const range = IDBKeyRange.bound([box], [box, []])
  return {
    async load() {
      const [keys, values] = await Promise.all([
        run('readonly', (store) => store.getAllKeys(range)),
        run('readonly', (store) => store.getAll(range) as IDBRequest<unknown[]>),
      ])
      return keys.flatMap((key, index) => {
        const edit = editSchema.safeParse(values[index])
        const page = Array.isArray(key) ? key[1] : undefined
        return edit.success && typeof page === 'string' ? [{ page, edit: edit.data }] : []
      })
    },
    put: async (page, edit) => void (await run('readwrite', (store) => store.put(edit, [box, page, edit.path]))),
    remove: (page, path) => run('readwrite', (store) => store.delete([box, page, path])),
  }
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1)
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE))
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () =>
      reject(request.error ?? new Error('The browser has no database for this page')),
    )
  })
}

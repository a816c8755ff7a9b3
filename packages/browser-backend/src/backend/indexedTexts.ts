import type { UnsavedText, UnsavedTexts } from './storage.ts'

const DATABASE = 'boxyard-unsaved'
const STORE = 'texts'

/** Unsaved texts of one sandbox in this browser's database. What resolves is on disk. */
export async function indexedTexts(sandboxId: string): Promise<UnsavedTexts> {
  const database = await openDatabase()
  const run = <T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode, { durability: 'strict' })
      const request = work(transaction.objectStore(STORE))
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error ?? new Error('The browser could not store the text'))
    })
  const range = IDBKeyRange.bound([sandboxId], [sandboxId, []])
  return {
    async load() {
      const [keys, texts] = await Promise.all([
        run('readonly', (store) => store.getAllKeys(range)),
        run('readonly', (store) => store.getAll(range) as IDBRequest<UnsavedText[]>),
      ])
      return new Map(keys.map((key, index) => [(key as [string, string])[1], texts[index]!]))
    },
    put: async (shortid, text) => void (await run('readwrite', (store) => store.put(text, [sandboxId, shortid]))),
    delete: async (shortid) => run('readwrite', (store) => store.delete([sandboxId, shortid])),
  }
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('The browser has no database for this page'))
  })
}

import { takeSlots } from './deviceSlot.ts'
import type { UnsentText, UnsentTexts } from './storage.ts'

const DATABASE = 'boxyard-unsaved'
const STORE = 'texts'
/** Milliseconds. */
const PATIENCE = 5_000

/** Sandbox, file, and the slot of the window; without one it is the first. */
type Key = [string, string] | [string, string, number]
const slotOf = (key: Key): number => key[2] ?? 0

/** What one window has typed and the room does not have, in this browser's database. What resolves is on disk. */
export async function indexedTexts(sandboxId: string): Promise<UnsentTexts> {
  const database = await openDatabase()
  const run = <T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode, { durability: 'strict' })
      const request = work(transaction.objectStore(STORE))
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error ?? new Error('The browser could not store the text'))
    })
  const range = IDBKeyRange.bound([sandboxId], [sandboxId, []])
  const known = (await run('readonly', (store) => store.getAllKeys(range))) as Key[]
  const filled = [...new Set(known.map(slotOf))].toSorted((a, b) => a - b)
  const slots = await takeSlots(`boxyard-unsaved:${sandboxId}`, filled, locksOfBrowser())
  const keyOf = (shortid: string): Key => (slots.own === 0 ? [sandboxId, shortid] : [sandboxId, shortid, slots.own])
  return {
    async load() {
      const [keys, texts] = await Promise.all([
        run('readonly', (store) => store.getAllKeys(range)),
        run('readonly', (store) => store.getAll(range) as IDBRequest<Partial<UnsentText>[]>),
      ])
      const all = (keys as Key[]).map((key, index) => ({ key, text: complete(texts[index]!) }))
      const loaded = new Map<string, UnsentText>()
      for (const { key, text } of all) if (slotOf(key) === slots.own) loaded.set(key[1], text)
      // What windows that are gone have left is taken over, one text a file; another one waits for the next window.
      for (const { key, text } of all) {
        if (!slots.left.includes(slotOf(key)) || loaded.has(key[1])) continue
        loaded.set(key[1], text)
        await run('readwrite', (store) => {
          store.delete(key)
          return store.put(text, keyOf(key[1]))
        })
      }
      return loaded
    },
    put: async (shortid, text) => void (await run('readwrite', (store) => store.put(text, keyOf(shortid)))),
    delete: async (shortid) => run('readwrite', (store) => store.delete(keyOf(shortid))),
  }
}

/** Browsers have none on pages that came over plain HTTP from another machine. */
const locksOfBrowser = (): LockManager | null => ('locks' in navigator ? navigator.locks : null)

/** Earlier versions kept the saved text and the typed one alone. */
function complete({ base = '', text = '', ...rest }: Partial<UnsentText>): UnsentText {
  return { client: crypto.randomUUID(), sequence: 0, revision: null, inFlight: null, ...rest, base, text }
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1)
    const late = setTimeout(() => {
      request.onsuccess = () => request.result.close()
      reject(
        new Error(
          'This browser did not open its database, in which edits are kept until they are saved. Close its other pages of this site, or start it again.',
        ),
      )
    }, PATIENCE)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE)
    request.onsuccess = () => {
      clearTimeout(late)
      resolve(request.result)
    }
    request.onerror = () => {
      clearTimeout(late)
      reject(request.error ?? new Error('The browser has no database for this page'))
    }
  })
}

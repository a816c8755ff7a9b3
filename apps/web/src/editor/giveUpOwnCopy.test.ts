import { expect, it } from 'vitest'
import { pendingEdit } from '../repositories/pendingEdit.ts'
import { giveUpOwnCopy } from './giveUpOwnCopy.ts'
import { pendingFork } from './pendingFork.ts'

function memory(): Storage {
  const items = new Map<string, string>()
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  } as Storage
}

const edit = { path: 'a.ts', base: '', text: 'typed' }
const git = { username: 'acme', repo: 'todo', branch: 'main' }

it('AP954: a visitor who typed and does not sign in is told that nothing came of it, once', () => {
  const places = [
    [{ id: 'one' }, (storage: Storage) => pendingFork(storage, 'one')],
    [{ id: 'two', git }, (storage: Storage) => pendingEdit(storage, { owner: 'acme', repo: 'todo', branch: 'main' })],
  ] as const
  for (const [sandbox, waitingIn] of places) {
    const storage = memory()
    waitingIn(storage).write(edit)
    let asked = 0
    const said = giveUpOwnCopy(storage, sandbox, () => (asked += 1))
    expect(said).toMatchObject({ title: 'Can not seamless branch without a user', timeout: 10_000 })
    said!.actions![0]!.perform()
    expect(asked).toBe(1)
    // It must not come up in what they make later.
    expect(waitingIn(storage).read()).toBeUndefined()
    expect(giveUpOwnCopy(storage, sandbox, () => {})).toBeNull()
  }
})

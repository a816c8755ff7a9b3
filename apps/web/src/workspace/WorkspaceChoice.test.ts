import { expect, it, vi } from 'vitest'
import { WorkspaceChoice } from './WorkspaceChoice.ts'

function memoryStorage() {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
}

it('the workspace chosen last is chosen on the next visit', () => {
  const storage = memoryStorage()
  expect(new WorkspaceChoice(storage).current()).toBeNull()
  new WorkspaceChoice(storage).choose('two')
  expect(new WorkspaceChoice(storage).current()).toBe('two')
})

it('listeners hear of another choice, and not of the same one', () => {
  const choice = new WorkspaceChoice(memoryStorage())
  const heard = vi.fn()
  choice.subscribe(heard)
  choice.choose('one')
  choice.choose('one')
  expect(heard).toHaveBeenCalledTimes(1)
})

import type { GitStatus } from '@boxyard/protocol'
import { expect, it, vi } from 'vitest'
import { ShownRepository } from './ShownRepository.ts'

const some = { branch: 'main', head: 'aaaaaaa' } as GitStatus
const none = { branch: null } as GitStatus

function shown() {
  const make = vi.fn((value: string) => ({
    provider: { clear: vi.fn() },
    repository: { input: { value }, dispose: vi.fn() },
  }))
  return { make, source: new ShownRepository(make) }
}

it('WB985: a connection that tells of no repository empties the list, and leaves the message where it is being written', () => {
  const { make, source } = shown()
  expect(source.at(undefined)).toBeUndefined()
  expect(make).not.toHaveBeenCalled()
  const made = source.at(some)!
  made.repository.input.value = 'Mine'
  expect(source.at(undefined)).toBeUndefined()
  expect(made.provider.clear).toHaveBeenCalledTimes(1)
  expect(made.repository.dispose).not.toHaveBeenCalled()
  expect(source.made).toBe(made)
  expect(source.at(some)).toBe(made)
  expect(made.repository.input.value).toBe('Mine')
})

it('WB421, WB985: without a repository none is shown, and the message is there again with the next one', () => {
  const { source } = shown()
  const first = source.at(some)!
  first.repository.input.value = 'Mine'
  expect(source.at(none)).toBeUndefined()
  expect(first.repository.dispose).toHaveBeenCalledTimes(1)
  expect(source.made).toBeUndefined()
  expect(source.at(none)).toBeUndefined()
  expect(source.at(some)!.repository.input.value).toBe('Mine')
})

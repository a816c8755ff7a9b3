import { Emitter } from '@boxyard/dev-server-client'
import { expect, it } from 'vitest'
import { eventStore } from './eventStore.ts'

it('keeps the last value and tells its listeners, also of changes before the first of them', () => {
  const emitter = new Emitter<number>()
  let value = 1
  const change = (next: number) => {
    value = next
    emitter.fire(next)
  }
  const store = eventStore(() => value, emitter.event)
  change(2)
  expect(store.current()).toBe(1)
  let told = 0
  const stop = store.subscribe(() => (told += 1))
  expect(store.current()).toBe(2)
  change(3)
  expect(store.current()).toBe(3)
  stop()
  change(4)
  expect([store.current(), told]).toEqual([3, 1])
})

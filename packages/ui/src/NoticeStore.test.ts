import { expect, it } from 'vitest'
import { NoticeStore } from './NoticeStore.ts'

function manualClock() {
  const waiting = new Map<number, () => void>()
  return {
    waiting,
    after(milliseconds: number, callback: () => void) {
      waiting.set(milliseconds, callback)
      return () => waiting.delete(milliseconds)
    },
  }
}

it('ignores a notice whose unique name is shown, and answers with the first one', () => {
  const store = new NoticeStore(manualClock())
  const first = store.add({ uniqueName: 'fork', title: 'One' })
  expect(store.add({ uniqueName: 'fork', title: 'Two' })).toBe(first)
  expect(store.all().map((notice) => notice.title)).toEqual(['One'])
  store.dismiss(first)
  store.add({ uniqueName: 'fork', title: 'Three' })
  expect(store.all().map((notice) => notice.title)).toEqual(['Three'])
})

it('dismisses by id and by unique name, and tells its listeners', () => {
  const store = new NoticeStore(manualClock())
  let told = 0
  const stop = store.subscribe(() => (told += 1))
  const id = store.add({ title: 'One' })
  store.add({ title: 'Two', uniqueName: 'two' })
  store.dismiss(id)
  store.dismiss('two')
  store.dismiss('unknown')
  expect(store.all()).toEqual([])
  expect(told).toBe(4)
  stop()
  store.add({ title: 'Three' })
  expect(told).toBe(4)
})

it('lets a notice go after its time, and forgets the timer of one that was dismissed', () => {
  const clock = manualClock()
  const store = new NoticeStore(clock)
  store.add({ title: 'Short', timeout: 10 })
  const long = store.add({ title: 'Long', timeout: 20 })
  clock.waiting.get(10)?.()
  expect(store.all().map((notice) => notice.title)).toEqual(['Long'])
  store.dismiss(long)
  expect(clock.waiting.has(20)).toBe(false)
})

import { expect, it } from 'vitest'
import { EarlyKeys } from './EarlyKeys.ts'

/** A page as far as keys go. */
class Page extends EventTarget {
  press(key: string, { ctrlKey = true, altKey = false } = {}): boolean {
    const event = new Event('keydown', { cancelable: true })
    return this.dispatchEvent(Object.assign(event, { key, ctrlKey, metaKey: false, altKey, shiftKey: false }))
  }
}

it('WB530: keys of commands wait for the commands, each once, and what is typed does not wait', () => {
  const page = new Page()
  const keys = new EarlyKeys(page as unknown as Window)
  expect(page.press('p')).toBe(false)
  expect([page.press('a', { ctrlKey: false }), page.press('c'), page.press('p', { altKey: true })]).toEqual([
    true,
    true,
    true,
  ])
  page.press('`')
  page.press('p')
  const pressed: string[] = []
  const target = { dispatchEvent: ({ key }: KeyboardEvent) => pressed.push(key) }
  const original = globalThis.KeyboardEvent
  globalThis.KeyboardEvent = class extends Event {
    constructor(type: string, init: KeyboardEventInit) {
      super(type)
      Object.assign(this, { key: init.key })
    }
  } as unknown as typeof KeyboardEvent
  try {
    keys.release(target as unknown as EventTarget)
  } finally {
    globalThis.KeyboardEvent = original
  }
  expect(pressed).toEqual(['p', '`'])
  expect(page.press('p')).toBe(true)
})

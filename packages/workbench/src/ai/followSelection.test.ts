import { Emitter } from '@boxyard/dev-server-client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { followSelection, type SelectingEditor } from './followSelection.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function scene({ isOffered = true } = {}) {
  const selections = new Emitter<never>()
  const scrolls = new Emitter<never>()
  const models = new Emitter<never>()
  let line = 0
  const shown: unknown[] = []
  const editor = {
    getSelection: () => ({ isEmpty: () => line === 0, getStartPosition: () => ({ lineNumber: line, column: 1 }) }),
    onDidChangeCursorSelection: selections.event,
    onDidScrollChange: scrolls.event,
    onDidChangeModel: models.event,
  } as unknown as SelectingEditor
  const following = followSelection(
    editor,
    () => isOffered,
    (position) => shown.push(position?.lineNumber),
  )
  return {
    shown,
    following,
    /** 0 for none. */
    select: (at: number) => {
      line = at
      selections.fire(undefined as never)
    },
    scroll: () => scrolls.fire(undefined as never),
    change: () => models.fire(undefined as never),
  }
}

it('WB942: the toolbar comes one second after a selection has settled, and goes when the text scrolls', () => {
  const { select, scroll, shown } = scene()
  select(3)
  vi.advanceTimersByTime(900)
  select(4)
  vi.advanceTimersByTime(999)
  expect(shown).toEqual([])
  vi.advanceTimersByTime(1)
  expect(shown).toEqual([4])
  scroll()
  expect(shown).toEqual([4, undefined])
  vi.advanceTimersByTime(5000)
  expect(shown).toEqual([4, undefined])
})

it('WB942: it goes with the selection and with the text', () => {
  const { select, change, shown } = scene()
  select(3)
  vi.advanceTimersByTime(1000)
  select(0)
  vi.advanceTimersByTime(1000)
  select(5)
  change()
  vi.advanceTimersByTime(1000)
  expect(shown).toEqual([3, undefined])
})

it('WB942: it does not come while nothing stands in it', () => {
  const { select, shown, following } = scene({ isOffered: false })
  select(3)
  vi.advanceTimersByTime(5000)
  following.dispose()
  expect(shown).toEqual([])
})

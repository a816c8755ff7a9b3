import { expect, it } from 'vitest'
import { runFramesAhead } from './framesAhead.ts'

/** A page that nobody sees, and its window, whose turns come when they are told to. */
function pageAhead() {
  const did: string[] = []
  let waiting: (() => void)[] = []
  const page = Object.assign(new EventTarget(), {
    documentElement: { getBoundingClientRect: () => did.push('layout') },
  })
  const frames = {
    requestAnimationFrame: () => did.push('frame'),
    cancelAnimationFrame: (handle: number) => did.push(`cancel ${handle}`),
    reportError: (error: unknown) => did.push(String(error)),
  }
  runFramesAhead(page as never, frames as never, (run) => void waiting.push(run))
  const turn = () => {
    const due = waiting
    waiting = []
    for (const run of due) run()
  }
  return { did, frames: frames as unknown as Window & typeof globalThis, turn, page }
}

it('WB1090: a page that is made ahead does in a turn what waits for a frame, with the layout after it', () => {
  const { did, frames, turn } = pageAhead()
  frames.requestAnimationFrame(() => {
    did.push('one')
    frames.requestAnimationFrame(() => did.push('next'))
  })
  frames.requestAnimationFrame(() => {
    throw new Error('wrong')
  })
  const dropped = frames.requestAnimationFrame(() => did.push('dropped'))
  frames.requestAnimationFrame(() => did.push('two'))
  frames.cancelAnimationFrame(dropped)
  expect(did).toEqual([])
  turn()
  expect(did).toEqual(['one', 'Error: wrong', 'two', 'layout'])
  turn()
  expect(did.slice(4)).toEqual(['next', 'layout'])
  turn()
  expect(did).toHaveLength(6)
})

it('WB1090: it has the frames of the browser when it is shown, and no turn is lost', () => {
  const { did, frames, turn, page } = pageAhead()
  frames.requestAnimationFrame(() => did.push('asked before'))
  page.dispatchEvent(new Event('prerenderingchange'))
  frames.requestAnimationFrame(() => {})
  frames.cancelAnimationFrame(7)
  expect(did).toEqual(['frame', 'cancel 7'])
  turn()
  expect(did).toEqual(['frame', 'cancel 7', 'asked before', 'layout'])
})

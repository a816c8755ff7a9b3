import { turnsOutOfSight } from './turnsOutOfSight.ts'

type Page = Pick<Document, 'addEventListener' | 'documentElement'>
type Frames = Pick<Window & typeof globalThis, 'requestAnimationFrame' | 'cancelAnimationFrame' | 'reportError'>

/**
 * Gives a page that is made ahead turns in place of frames, of which a page has none as long as nobody sees it: what waits for a frame
 * would all run before the first one that a person is shown. Each ends with the layout of the page, as a frame does.
 */
export function runFramesAhead(page: Page = document, frames: Frames = window, turn = turnsOutOfSight()): void {
  const { requestAnimationFrame, cancelAnimationFrame } = frames
  let waiting = new Map<number, FrameRequestCallback>()
  // Below zero, so that no handle of a frame is one of a turn.
  let last = 0
  const run = () => {
    const callbacks = waiting
    waiting = new Map()
    for (const callback of callbacks.values()) {
      try {
        callback(performance.now())
      } catch (error) {
        frames.reportError(error)
      }
    }
    page.documentElement.getBoundingClientRect()
  }
  frames.requestAnimationFrame = (callback) => {
    if (waiting.size === 0) turn(run)
    last -= 1
    waiting.set(last, callback)
    return last
  }
  frames.cancelAnimationFrame = (handle) => {
    if (handle < 0) waiting.delete(handle)
    else cancelAnimationFrame.call(frames, handle)
  }
  page.addEventListener(
    'prerenderingchange',
    () => {
      frames.requestAnimationFrame = requestAnimationFrame
    },
    { once: true },
  )
}

import type { BrowserContext, Frame } from 'playwright-core'

/** When the heading of a page said something else, as moments of the clock that all frames share. */
declare global {
  interface Window {
    boxyardHeadings: { text: string; at: number }[]
    /** When somebody last pressed the keys that save. */
    boxyardSavedAt: number
  }
}

/** Has every page of the browser note when its heading changes, before anything else of it runs. */
export async function watchForHeading(browser: BrowserContext): Promise<void> {
  await browser.addInitScript(() => {
    const now = () => performance.timeOrigin + performance.now()
    window.boxyardHeadings = []
    window.boxyardSavedAt = 0
    const look = () => {
      const text = document.querySelector('main h1, #root h1')?.textContent
      if (text && text !== window.boxyardHeadings.at(-1)?.text) window.boxyardHeadings.push({ text, at: now() })
    }
    new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true })
    addEventListener('keydown', (event) => event.ctrlKey && event.key === 's' && (window.boxyardSavedAt = now()), true)
  })
}

/** The moment at which the heading of the frame first had this text; waits for it. */
export async function headingAt(frame: Frame, text: string): Promise<number> {
  const seen = await frame.waitForFunction((wanted) => {
    return window.boxyardHeadings.find((heading) => heading.text.includes(wanted))?.at
  }, text)
  return (await seen.jsonValue())!
}

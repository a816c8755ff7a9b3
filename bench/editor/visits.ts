import { setTimeout as delay } from 'node:timers/promises'
import { PlainBrowser } from './plainBrowser.ts'
import { untilReadable } from './untilReadable.ts'

/** Gives `use` a browser that has never been anywhere. */
export async function withFreshProfile<T>(
  use: (browser: PlainBrowser) => Promise<T>,
  extraFlags: readonly string[] = [],
): Promise<T> {
  const browser = await PlainBrowser.start(extraFlags)
  try {
    return await use(browser)
  } finally {
    await browser.close()
  }
}

/** Milliseconds for which a page is looked at: what it does for the next visit, it does then. */
const STAY_MS = 5_000
/** Milliseconds that the end of a page takes, its workers' and its process's included: that of the last visit is no part of the next. */
const END_MS = 3_000

const bytesOfPage = `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .reduce((sum, { transferSize }) => sum + transferSize, 0)`

/** One visit in a page of its own: milliseconds to the first text and to the readable editor, and the megabytes that had arrived by then. */
export async function visit(
  browser: PlainBrowser,
  address: string,
): Promise<{ first: number; readable: number; megabytes: number }> {
  const page = await browser.newPage()
  await page.goto(address)
  const { firstAt, readableAt } = await untilReadable(page)
  const megabytes = (await page.evaluate<number>(bytesOfPage)) / 1_000_000
  await delay(STAY_MS)
  await page.close()
  await delay(END_MS)
  return { first: firstAt, readable: readableAt, megabytes }
}

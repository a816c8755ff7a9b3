import { setTimeout as delay } from 'node:timers/promises'
import type { PlainPage } from './plainBrowser.ts'

const DEADLINE_MS = 60_000
/** The page takes the times itself; asking it seldom keeps it undisturbed. */
const POLL_MS = 100

interface Marks {
  firstAt?: number
  readableAt?: number
  clickedAt?: number
  /** The browser's own word for when it first drew something: a text that stands in the page before that is not seen yet. */
  paintedAt?: number
}

const marksOfPage = `({ ...window.benchmark, paintedAt: performance.getEntriesByName('first-contentful-paint')[0]?.startTime })`

/**
 * Resolves when the editor of a page is readable: when that was, when a text was shown first, by it or before it, and when something
 * was last clicked. Milliseconds since the page was asked for.
 */
export async function untilReadable(
  page: PlainPage,
): Promise<{ firstAt: number; readableAt: number; clickedAt: number | undefined }> {
  const end = performance.now() + DEADLINE_MS
  while (performance.now() < end) {
    const { firstAt, readableAt, clickedAt, paintedAt } = await page.evaluate<Marks>(marksOfPage)
    if (readableAt !== undefined && paintedAt !== undefined)
      return {
        firstAt: Math.max(firstAt ?? readableAt, paintedAt),
        readableAt: Math.max(readableAt, paintedAt),
        clickedAt,
      }
    await delay(POLL_MS)
  }
  throw new Error(`There is no readable editor after ${DEADLINE_MS / 1000} s`)
}

import { setTimeout as delay } from 'node:timers/promises'
import { PageGoneError } from './devTools.ts'
import type { PlainPage } from './plainBrowser.ts'

/** Milliseconds. */
const POLL_MS = 5

/** Resolves when the page of a tab has an address below `path`, be it the same page or one in its place. */
export async function untilAt(page: PlainPage, path: string): Promise<void> {
  for (;;) {
    try {
      if (await page.evaluate<boolean>(`location.pathname.startsWith(${JSON.stringify(path)})`)) return
    } catch (error) {
      if (!(error instanceof PageGoneError)) throw error
    }
    await delay(POLL_MS)
  }
}

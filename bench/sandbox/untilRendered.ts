import { setTimeout as delay } from 'node:timers/promises'
import type { PlainPage } from '../editor/plainBrowser.ts'

const DEADLINE_MS = 60_000
/** The pages note the times themselves; asking them seldom keeps them undisturbed. */
const POLL_MS = 100

/** Time of the clock at which the project in the page first showed this label. */
export async function untilRendered(page: PlainPage, label: string): Promise<number> {
  const end = performance.now() + DEADLINE_MS
  const asked = `(window.benchmark?.renders ?? []).find(({ rendered }) => rendered === ${JSON.stringify(label)})?.at ?? null`
  while (performance.now() < end) {
    const at = await page.evaluate<number | null>(asked)
    if (at !== null) return at
    await delay(POLL_MS)
  }
  throw new Error(`The project did not show ${label} in ${DEADLINE_MS / 1000} s`)
}

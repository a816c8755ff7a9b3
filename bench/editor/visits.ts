import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import type { BrowserContext } from 'playwright-core'
import { untilReadable } from './untilReadable.ts'

const watchForText = fileURLToPath(new URL('watchForText.js', import.meta.url))

const browser = {
  executablePath: '/usr/bin/chromium',
  headless: true,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
  viewport: { width: 1280, height: 800 },
}

/** Gives `use` a browser that has never been anywhere. */
export async function withFreshProfile<T>(use: (context: BrowserContext) => Promise<T>): Promise<T> {
  const profile = await mkdtemp(join(tmpdir(), 'boxyard-bench-profile-'))
  const context = await chromium.launchPersistentContext(profile, browser)
  try {
    await context.addInitScript({ path: watchForText })
    return await use(context)
  } finally {
    await context.close()
    await rm(profile, { recursive: true, force: true })
  }
}

/** Milliseconds for which a page is looked at: what it does for the next visit, it does then. */
const STAY_MS = 5_000

/** One visit in a page of its own: milliseconds to the first text and to the readable editor, and the megabytes that had arrived by then. */
export async function visit(
  context: BrowserContext,
  address: string,
): Promise<{ first: number; readable: number; megabytes: number }> {
  const page = await context.newPage()
  try {
    const network = await context.newCDPSession(page)
    let bytes = 0
    network.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
    await network.send('Network.enable')
    await page.goto(address, { waitUntil: 'commit' })
    const { firstAt, readableAt } = await untilReadable(page)
    const megabytes = bytes / 1_000_000
    await delay(STAY_MS)
    return { first: firstAt, readable: readableAt, megabytes }
  } finally {
    await page.close()
  }
}

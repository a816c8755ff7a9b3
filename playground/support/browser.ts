import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

const openContexts = new Set<BrowserContext>()

/** Every page of every window that this file of tests has open. */
export const openPages = (): Page[] => [...openContexts].flatMap((context) => context.pages())

/** Counts a window among the open ones as long as it is. */
export function watched(context: BrowserContext): BrowserContext {
  openContexts.add(context)
  context.on('close', () => openContexts.delete(context))
  return context
}

/**
 * A fresh Chromium profile, as a person on a new machine has one; `device` is another one than a desk's. `close` ends the browser and removes the
 * profile.
 */
export async function openBrowser(
  viewport = { width: 1440, height: 900 },
  device: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const profile = await mkdtemp(join(tmpdir(), 'boxyard-profile-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    viewport,
    ...device,
    // Tests run as root in containers, where Chromium's own sandbox can't start; the rest keeps it from calling home.
    args: [
      // Without WebGL the terminal draws its text as elements, which tests can read.
      '--disable-3d-apis',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  context.setDefaultTimeout(120_000)
  // The browser writes its last files while it ends.
  context.on('close', () => void rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }))
  return watched(context)
}

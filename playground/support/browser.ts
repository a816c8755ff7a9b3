import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { BrowserContext, BrowserContextOptions } from 'playwright-core'

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

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
  return context
}

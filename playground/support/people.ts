import type { Browser, BrowserContext, Page } from 'playwright-core'
import { chromium } from 'playwright-core'
import { watched } from './browser.ts'
import { createAccount } from './createAccount.ts'

export interface People {
  /** In the order of their names. */
  readonly pages: readonly Page[]
  close(): Promise<void>
}

/** People with an account and a window each, all in one browser of their own. */
export async function openPeople(address: string, names: readonly string[]): Promise<People> {
  const browser: Browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--disable-3d-apis', '--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
  })
  const open = async (name: string): Promise<Page> => {
    const context: BrowserContext = watched(await browser.newContext({ viewport: { width: 900, height: 600 } }))
    context.setDefaultTimeout(120_000)
    const page = await context.newPage()
    await createAccount(page, address, name)
    return page
  }
  return { pages: await Promise.all(names.map(open)), close: () => browser.close() }
}

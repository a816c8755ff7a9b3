import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

/** How long a state is awaited that no locator tells of. */
export const POLL = { timeout: 60_000, interval: 50 }

/** The page with the workbench and the box in it, as the steps of a test have it. */
export interface PlaygroundPage {
  page(): Page
  open(query?: string): Promise<void>
  close(): Promise<void>
  /** Makes a new terminal and waits until it is there. */
  openTerminal(): Promise<void>
}

/** Runs a command of the palette by its name. */
export async function runCommand(page: Page, name: string): Promise<void> {
  await page.keyboard.press('F1')
  await page.locator('.quick-input-widget input').fill(`>${name}`)
  await page.locator(`.quick-input-list [role="option"][aria-label^="${name}"]`).first().click()
}

/** Keeps a picture for people to look at. */
export async function picture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: fileURLToPath(new URL(`../../../test-results/${name}.png`, import.meta.url)) })
}

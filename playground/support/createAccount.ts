import type { Page } from 'playwright-core'

export const password = 'correct horse battery'

/** Signs up at the server's own git host, in the popup that the page opens, and lands on the dashboard. */
export async function createAccount(page: Page, address: string, username: string): Promise<void> {
  await page.goto(address)
  await page
    .getByRole('button', { name: /sign in/i })
    .first()
    .click()
  const opened = page.context().waitForEvent('page')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /sign in with/i })
    .click()
  const popup = await opened
  // Only the first person of an installation is asked at once.
  const link = popup.getByRole('link', { name: 'Create an account' })
  await popup
    .getByLabel(/^Email/)
    .or(link)
    .first()
    .waitFor()
  if (await link.isVisible()) await link.click()
  await popup.getByLabel(/^Email/).waitFor()
  await popup.getByLabel('User name').fill(username)
  await popup.getByLabel(/^Email/).fill(`${username}@example.org`)
  await popup.getByLabel(/^Password/).fill(password)
  await popup.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL('**/dashboard/recent')
}

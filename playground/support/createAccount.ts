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
  // The first account of a server is made at once; later ones have to be asked for.
  const join = popup.getByRole('link', { name: 'Create an account' })
  const button = popup.getByRole('button', { name: 'Create account' })
  await join.or(button).waitFor()
  if (await join.isVisible()) await join.click()
  await popup.getByLabel('User name').fill(username)
  await popup.getByLabel(/^Email/).fill(`${username}@example.org`)
  await popup.getByLabel(/^Password/).fill(password)
  await button.click()
  await page.waitForURL('**/dashboard/recent')
}

import type { Locator, Page } from 'playwright-core'

/** Goes on with Tab until the element has the focus. Fails when it is not on the way. */
export async function tabTo(page: Page, element: Locator): Promise<void> {
  await element.waitFor()
  const hasFocus = () => element.evaluate((one) => one === document.activeElement)
  for (let presses = 0; !(await hasFocus()); presses += 1) {
    if (presses === 100) throw new Error(`${String(element)} is not reached with Tab.`)
    await page.keyboard.press('Tab')
  }
}

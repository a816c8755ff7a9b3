import { expect } from 'vitest'
import type { Locator, Page } from 'playwright-core'

/** Finds the next place of a text in the editor that has the focus, and leaves it selected. */
export async function selectNext(window: Page, text: string): Promise<void> {
  await window.keyboard.press('Control+f')
  await window.locator('.find-widget textarea').first().fill(text)
  await window.keyboard.press('Enter')
  await window.keyboard.press('Escape')
  const focused = window.locator('.editor-instance .monaco-editor.focused').first()
  // A key that comes while the editor moves its focus can be lost; a person presses it again.
  while (!(await becomesVisible(focused))) await window.keyboard.press('Escape')
  // Where keys go the editor decides a turn after the focus has moved: until then Enter finds, and an arrow does nothing.
  await window.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0))))
}

/** Leaves the caret behind the next place of a text in the editor that has the focus. */
export async function caretAfter(window: Page, text: string): Promise<void> {
  await selectNext(window, text)
  await window.keyboard.press('ArrowRight')
  const selected = window.locator('.editor-instance .monaco-editor.focused .selected-text')
  await expect.poll(() => selected.count(), { timeout: 30_000 }).toBe(0)
}

const becomesVisible = (place: Locator): Promise<boolean> =>
  place.waitFor({ timeout: 5_000 }).then(
    () => true,
    () => false,
  )

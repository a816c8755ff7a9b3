import type { Locator, Page } from 'playwright-core'
import { vi } from 'vitest'

/** The template that starts fastest. */
export const STATIC = /Static HTML/

/** What a person does on the page of an editor. */
export async function createDevbox(
  page: Page,
  address: string,
  template: RegExp,
  file = 'package.json',
): Promise<string> {
  await page.goto(`${address}/dashboard/recent?create=true`)
  await page.getByRole('option', { name: template }).click()
  await page.getByRole('button', { name: /^Create from/ }).click()
  await page.waitForURL('**/devbox/*')
  await page.getByRole('treeitem', { name: file, exact: true }).waitFor()
  return page.url()
}

export const editor = (page: Page): Locator => page.locator('.editor-instance .monaco-editor').first()

/** The text that is on the screen. */
export async function editorText(page: Page): Promise<string> {
  return (await editor(page).locator('.view-lines').innerText()).replaceAll('\u00a0', ' ')
}

export async function openFile(page: Page, name: string): Promise<void> {
  const input = page.locator('.quick-input-widget input')
  // While the first text stands in for the editor, the keys of the editor's commands mean nothing.
  const isAsked = async () => {
    await page.keyboard.press('Control+p')
    return input.waitFor({ timeout: 5_000 }).then(
      () => true,
      () => false,
    )
  }
  await vi.waitUntil(isAsked, { timeout: 120_000, interval: 100 })
  await input.fill(name)
  await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: name }).first().waitFor()
  await page.keyboard.press('Enter')
  await page
    .getByRole('tab', { name: new RegExp(name) })
    .first()
    .waitFor()
}

/** Types behind the first place where `text` stands in the open file. */
export async function typeAfter(page: Page, text: string, typed: string): Promise<void> {
  await select(page, text)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type(typed)
}

/** Types over the first place where `text` stands in the open file. */
export async function replaceText(page: Page, text: string, typed: string): Promise<void> {
  await select(page, text)
  await page.keyboard.type(typed)
}

async function select(page: Page, text: string): Promise<void> {
  await editor(page).locator('.view-lines').click()
  await page.keyboard.press('Control+f')
  await page.locator('.find-widget textarea').first().fill(text)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
}

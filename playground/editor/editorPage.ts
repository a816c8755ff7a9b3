import { errors } from 'playwright-core'
import type { Locator, Page } from 'playwright-core'
import { vi } from 'vitest'
import { caretAfter, selectNext } from '../support/caretAfter.ts'

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

/** The text that is on the screen. The editor puts changed lines behind the others in its document. */
export async function editorText(page: Page): Promise<string> {
  const lines = await editor(page)
    .locator('.view-line')
    .evaluateAll((all) =>
      all
        .map((line) => ({ top: line.getBoundingClientRect().top, text: line.textContent }))
        .toSorted((one, other) => one.top - other.top)
        .map(({ text }) => text),
    )
  return lines.join('\n').replaceAll('\u00a0', ' ')
}

/** Presses keys that open the quick input until it is there: while the first text stands in for the editor, they mean nothing. */
async function askUntilThere(page: Page, keys: string): Promise<Locator> {
  const input = page.locator('.quick-input-widget input')
  const isAsked = async () => {
    await page.keyboard.press(keys)
    return input.waitFor({ timeout: 5_000 }).then(
      () => true,
      () => false,
    )
  }
  await vi.waitUntil(isAsked, { timeout: 120_000, interval: 100 })
  return input
}

export async function openFile(page: Page, name: string): Promise<void> {
  const input = await askUntilThere(page, 'Control+p')
  await input.fill(name)
  // Before it has looked, it offers what was open last, and chooses the first of that.
  await page.locator('.quick-input-list .monaco-list-row.focused').filter({ hasText: name }).first().waitFor()
  await page.keyboard.press('Enter')
  // Another one may have been opened before it, and be in front until this one is.
  await page
    .getByRole('tab', { name: new RegExp(name), selected: true })
    .first()
    .waitFor()
}

/** Runs a line in the terminal, which is opened when there is none. The focus stays there. */
export async function runInTerminal(page: Page, line: string): Promise<void> {
  const input = page.locator('.terminal-wrapper.active .xterm-helper-textarea')
  if (!(await input.isVisible())) await page.keyboard.press('Control+`')
  await input.focus()
  await page.locator('.xterm-helper-textarea:focus').waitFor()
  await page.keyboard.type(line)
  await page.keyboard.press('Enter')
}

/** Runs a command of the editor by its name in the command palette. */
export async function runCommand(page: Page, name: string): Promise<void> {
  // Others have names that begin or end like it.
  const option = page.locator(`.quick-input-list [role="option"][aria-label^="${name}"]`).first()
  const isChosen = async () => {
    const input = await askUntilThere(page, 'F1')
    try {
      await input.fill(`>${name}`, { timeout: 15_000 })
      await option.click({ timeout: 15_000 })
      return true
    } catch (error) {
      // The palette goes when something else takes the focus, and a command that an extension brings is in the next one only.
      if (error instanceof errors.TimeoutError) return false
      throw error
    }
  }
  await vi.waitUntil(isChosen, { timeout: 120_000, interval: 100 })
}

/** Chooses a theme of the editor, and waits until it and the page have its ground, a color like `#0e0f11`. */
export async function chooseTheme(page: Page, name: string, ground: string): Promise<void> {
  await runCommand(page, 'Preferences: Color Theme')
  await page.locator('.quick-input-widget input[placeholder^="Select Color Theme"]').fill(name)
  await page.locator(`.quick-input-list [role="option"][aria-label^="${name}"]`).first().waitFor()
  await page.keyboard.press('Enter')
  await page.waitForFunction(
    (wanted) =>
      getComputedStyle(document.querySelector('.monaco-workbench')!)
        .getPropertyValue('--vscode-editor-background')
        .toLowerCase() === wanted &&
      document.getAnimations().every((one) => !(one instanceof CSSTransition) || one.playState !== 'running'),
    ground,
  )
}

/** Types behind the first place where `text` stands in the open file. */
export async function typeAfter(page: Page, text: string, typed: string): Promise<void> {
  await editor(page).locator('.view-lines').click()
  await caretAfter(page, text)
  await page.keyboard.type(typed)
}

/** Types over the first place where `text` stands in the open file. */
export async function replaceText(page: Page, text: string, typed: string): Promise<void> {
  await editor(page).locator('.view-lines').click()
  await selectNext(page, text)
  await page.keyboard.type(typed)
}

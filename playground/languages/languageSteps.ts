import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { caretAfter } from '../support/caretAfter.ts'
import { repository } from '../support/story.ts'
import type { beginStory } from '../support/story.ts'

/** What the editor knows of languages in a project of the React template that is open, wherever that runs. The steps build on each other. */
export function languageSteps(kind: 'sandbox' | 'devbox', { story, step: it }: ReturnType<typeof beginStory>): void {
  const editor = (): Locator => story.page.locator('.editor-instance .monaco-editor').first()
  const suggestion = (name: string): Locator =>
    story.page.locator('.suggest-widget .monaco-list-row').filter({ hasText: name }).first()
  /** Asks for suggestions until the extension that has this one is there: with the first text of its language it is still being fetched. */
  async function suggested(name: string): Promise<void> {
    const ask = async () => {
      if (!(await suggestion(name).isVisible())) await story.page.keyboard.press('Control+Space')
      return suggestion(name).isVisible()
    }
    await expect.poll(ask, { timeout: 60_000, interval: 1000 }).toBe(true)
  }
  const picture = (name: string) =>
    story.page.screenshot({ path: join(repository, 'test-results', `${kind}-languages-${name}.png`) })

  async function openFile(name: string): Promise<void> {
    const { page } = story
    await page.keyboard.press('Control+p')
    await page.locator('.quick-input-widget input').fill(name)
    await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: name }).first().waitFor()
    await page.keyboard.press('Enter')
    await page
      .getByRole('tab', { name: new RegExp(name), selected: true })
      .first()
      .waitFor()
  }

  /** Puts the caret behind the first place where `text` stands in the open file. */
  async function putCaretAfter(text: string): Promise<void> {
    const { page } = story
    await editor().locator('.view-lines').click()
    await page.keyboard.press('Control+Home')
    await caretAfter(page, text)
  }

  it('shows a mistake in the types of a component, and nothing where there is none', async () => {
    const { page } = story
    await openFile('App.tsx')
    await putCaretAfter('useState(0)')
    await page.keyboard.type('\nconst wrong: number = count.toFixed()')
    await editor().locator('.squiggly-error').first().waitFor()
    await page.keyboard.press('Control+Shift+m')
    const problems = page.locator('.markers-panel')
    await problems.getByText("Type 'string' is not assignable to type 'number'.").first().waitFor()
    await picture('mistake')
    expect(await editor().locator('.squiggly-error').count()).toBe(1)
    await page.keyboard.press('Control+Shift+m')
    await putCaretAfter(' = count.toFixed()')
    for (let count = 0; count < 'const wrong: number = count.toFixed()'.length; count += 1)
      await page.keyboard.press('Backspace')
    await editor().locator('.squiggly-error').first().waitFor({ state: 'detached' })
  })

  it('offers what a package has', async () => {
    const { page } = story
    await putCaretAfter('import { useState')
    await page.keyboard.type(', useRed')
    await page.keyboard.press('Control+Space')
    await suggestion('useReducer').waitFor({ timeout: 30_000 })
    await picture('members')
    await page.keyboard.press('Enter')
    await suggestion('useReducer').waitFor({ state: 'hidden' })
    expect(await editor().locator('.view-line').first().textContent()).toMatch(/useState,.useReducer.\}/)
  })

  it('goes to where a package declares what is used', async () => {
    const { page } = story
    await putCaretAfter('const [count, setCount] = useSta')
    await page.keyboard.press('F12')
    const tab = page.getByRole('tab', { name: /index\.d\.ts/, selected: true }).first()
    const peek = page.locator('.peekview-widget')
    // A compiler that names each overload is asked for one of them.
    await tab.or(peek).waitFor()
    if (await peek.isVisible()) {
      await peek
        .locator('.view-line')
        .filter({ hasText: /function\suseState/ })
        .first()
        .waitFor()
      await page.keyboard.press('Enter')
    }
    await tab.waitFor()
    await editor()
      .locator('.view-line')
      .filter({ hasText: /function\suseState/ })
      .first()
      .waitFor()
    await picture('declared')
  })

  it('completes pages and style sheets', async () => {
    const { page } = story
    await openFile('index.html')
    await putCaretAfter('<div id="root"></div>')
    await page.keyboard.type('<sect')
    await suggested('section')
    await picture('page')
    await page.keyboard.press('Escape')
    for (let count = 0; count < '<sect'.length; count += 1) await page.keyboard.press('Backspace')
    await openFile('styles.css')
    await putCaretAfter('{')
    await page.keyboard.type('displ')
    await suggested('display')
    await picture('style')
    await page.keyboard.press('Escape')
    for (let count = 0; count < 'displ'.length; count += 1) await page.keyboard.press('Backspace')
  })

  it('knows JSON', async () => {
    const { page } = story
    await openFile('package.json')
    await putCaretAfter('"private": true,')
    await page.keyboard.type(',')
    await editor().locator('.squiggly-error').first().waitFor()
    await page.keyboard.press('Backspace')
    await editor().locator('.squiggly-error').first().waitFor({ state: 'detached' })
  })
}

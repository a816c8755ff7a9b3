import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { createDevbox, editor, runCommand, STATIC } from '../editor/editorPage.ts'
import { openBrowser } from '../support/browser.ts'
import { createAccount } from '../support/createAccount.ts'
import { beginStory, repository } from '../support/story.ts'

// What a person sets in the editor: there in their next browser, and in the page around it.

const { story, step } = beginStory('settings')
/** Settings come when the editor is there. */
const POLL = { timeout: 120_000 }
let devbox: string
let other: BrowserContext | undefined
afterAll(() => other?.close())

const picture = (name: string, page: Page) =>
  page.screenshot({ path: join(repository, 'test-results', `settings-${name}.png`) })
const kept = (page: Page) =>
  page.waitForResponse((answer) => answer.url().endsWith('/editor_settings') && answer.request().method() === 'POST')
const color = (page: Page, where: string) =>
  page
    .locator(where)
    .first()
    .evaluate((node) => getComputedStyle(node).backgroundColor)

const ground = (page: Page) =>
  page
    .locator('.monaco-workbench')
    .evaluate((node) => getComputedStyle(node).getPropertyValue('--vscode-editor-background').toLowerCase())

/** Replaces the text of the file that is opened by a command, and waits until it is kept. */
async function write(page: Page, name: string, file: string, text: string): Promise<void> {
  const stored = kept(page)
  await runCommand(page, name)
  // It stands above the others, without a tab.
  await page.locator('.monaco-icon-label', { hasText: file }).first().waitFor()
  await page.locator(`.monaco-editor.focused[data-uri$="${file}"]`).waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(text)
  // The editor has closed the first bracket by itself.
  await page.keyboard.press('Control+Shift+End')
  await page.keyboard.press('Delete')
  await page.keyboard.press('Control+s')
  expect((await stored).status()).toBe(200)
}

async function open(page: Page): Promise<void> {
  await page.goto(devbox)
  await editor(page).locator('.view-line').first().waitFor()
}

step('WB803: the page takes the colors of the theme that is chosen', async () => {
  const { page, server } = story
  await createAccount(page, server.address, 'ada')
  // The last thing that a start does; the themes are there by then.
  const asked = page.waitForResponse((answer) => answer.url().endsWith('/editor_settings'))
  devbox = await createDevbox(page, server.address, STATIC, 'index.html')
  await asked
  await page.keyboard.press('Control+k')
  await page.keyboard.press('Control+t')
  await page.locator('.quick-input-widget input').fill('Nord')
  await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Nord' }).first().waitFor()
  const stored = kept(page)
  await page.keyboard.press('Enter')
  await expect.poll(() => ground(page), POLL).toBe('#2e3440')
  await expect.poll(() => color(page, 'header'), POLL).toBe('rgb(46, 52, 64)')
  expect((await stored).status()).toBe(200)
  await picture('nord', page)
})

step('WB800: settings and key bindings of one browser are those of the next', async () => {
  const { page } = story
  await write(
    page,
    'Preferences: Open User Settings (JSON)',
    'settings.json',
    '{\n  // larger\n  "editor.fontSize": 21,\n  "workbench.colorTheme": "GitHub Light"\n}',
  )
  await expect.poll(() => page.locator('html').getAttribute('data-theme'), POLL).toBe('light')
  await page.keyboard.press('Escape')
  await page.locator('.monaco-editor[data-uri$="settings.json"]').waitFor({ state: 'detached' })
  await write(
    page,
    'Preferences: Open Keyboard Shortcuts (JSON)',
    'keybindings.json',
    '[{ "key": "ctrl+alt+9", "command": "workbench.action.showAboutDialog" }]',
  )

  other = await openBrowser()
  const url = story.server.address.replace('http:', 'https:')
  const cookies = await story.browser.cookies(url)
  await other.addCookies(cookies.map(({ name, value }) => ({ name, value, url, secure: true })))
  const next = other.pages()[0]!
  await open(next)
  await expect
    .poll(() => editor(next).evaluate((node) => getComputedStyle(node.querySelector('.view-lines')!).fontSize), POLL)
    .toBe('21px')
  await expect.poll(() => ground(next), POLL).toBe('#ffffff')
  await editor(next).locator('.view-lines').click()
  await next.keyboard.press('Control+Alt+9')
  await next.locator('.monaco-dialog-box').waitFor()
  await next.keyboard.press('Escape')
  await picture('next-browser', next)
})

step('WB803: the next visit begins in the colors of the last one', async () => {
  const next = other!.pages()[0]!
  // When the page's own elements begin, no script of the app has run yet.
  await next.addInitScript(() => {
    new MutationObserver((_changes, observer) => {
      if (!document.querySelector('#root')) return
      document.documentElement.dataset['begunAs'] = document.documentElement.dataset['theme']
      observer.disconnect()
    }).observe(document, { childList: true, subtree: true })
  })
  await open(next)
  expect(await next.locator('html').getAttribute('data-begun-as')).toBe('light')
  await expect.poll(() => ground(next), POLL).toBe('#ffffff')
})

step('WB804: the page and the editor turn dark together', async () => {
  const next = other!.pages()[0]!
  const stored = kept(next)
  await next.getByRole('button', { name: 'More', exact: true }).first().click()
  await next.getByRole('menuitem', { name: 'Dark theme' }).click()
  await expect.poll(() => ground(next), POLL).toBe('#0e0f11')
  await expect.poll(() => color(next, 'header'), POLL).toBe('rgb(21, 23, 26)')
  await stored
  await picture('dark-again', next)
  // The first browser hears of it when somebody looks at it again.
  const { page } = story
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme']), POLL).toBe('dark')
})

step('WB806: the workbench stands alone below /vscode', async () => {
  const next = other!.pages()[0]!
  const id = new URL(devbox).pathname.split('/').at(-1)!
  await next.goto(`${story.server.address}/vscode/${id}`)
  await editor(next).locator('.view-line').first().waitFor()
  expect(await next.locator('header').count()).toBe(0)
  const box = (await next.locator('.monaco-workbench').boundingBox())!
  expect([box.y, box.height]).toEqual([0, 900])
  await next
    .getByRole('button', { name: /^Saved/ })
    .first()
    .waitFor()
  expect(new URL(next.url()).pathname).toBe(`/vscode/${id}`)
  await picture('alone', next)
})

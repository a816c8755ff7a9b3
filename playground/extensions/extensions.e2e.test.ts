import { join } from 'node:path'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { TestExtensionRegistry, vsixOf, type TestExtension } from '../../apps/server/src/testing/extensionRegistry.ts'
import { createDevbox, STATIC } from '../editor/editorPage.ts'
import { openBrowser } from '../support/browser.ts'
import { createAccount } from '../support/createAccount.ts'
import { beginStory, repository } from '../support/story.ts'
import { day, dusk, hello, machine, morning, night, noon, orphan, thief, wholeDay } from './testExtensions.ts'

// Extensions of the editor from a registry: what they can do, and what they can't.

const registry = new TestExtensionRegistry([night, hello, machine, thief, morning, noon])
const { story, step } = beginStory('extensions', { BOXYARD_EXTENSION_REGISTRY: await registry.start() })
const POLL = { timeout: 120_000 }
let elsewhere: BrowserContext | undefined
afterAll(async () => {
  await elsewhere?.close()
  await registry.stop()
})

const picture = (name: string, page: Page) =>
  page.screenshot({ path: join(repository, 'test-results', `extensions-${name}.png`) })
const view = (page: Page) => page.locator('.extensions-viewlet')
const found = (page: Page, name: string) => view(page).locator('.extension-list-item').filter({ hasText: name }).first()
const details = (page: Page) => page.locator('.extension-editor')
const kept = (page: Page) =>
  page.waitForResponse((answer) => answer.url().endsWith('/editor_settings') && answer.request().method() === 'POST')
const ground = (page: Page) =>
  page
    .locator('.monaco-workbench')
    .evaluate((node) => getComputedStyle(node).getPropertyValue('--vscode-editor-background').toLowerCase())
const said = (page: Page, text: string | RegExp): Locator =>
  page.locator('.notification-list-item-message').filter({ hasText: text }).first()

async function command(page: Page, name: string): Promise<void> {
  await page.keyboard.press('F1')
  await page.locator('.quick-input-widget input').fill(`>${name}`)
  await page.locator(`.quick-input-list [role="option"][aria-label^="${name}"]`).first().click()
}

async function search(page: Page, text: string): Promise<void> {
  if (!(await view(page).isVisible())) await command(page, 'View: Show Extensions')
  const box = view(page).locator('.extensions-search-container .monaco-editor').first()
  await box.click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}

/** Installs what the details that are open describe, whose publisher is trusted then. */
async function install(page: Page, title: string): Promise<void> {
  const stored = kept(page)
  await found(page, title).click()
  await details(page).filter({ hasText: title }).waitFor()
  await details(page).getByRole('button', { name: 'Install', exact: true }).first().click()
  await Promise.race([
    page.getByRole('button', { name: /Trust Publisher/ }).click(),
    details(page).getByRole('button', { name: 'Uninstall' }).first().waitFor(),
  ])
  await details(page).getByRole('button', { name: 'Uninstall' }).first().waitFor()
  expect((await stored).status()).toBe(200)
}

step('WB810: extensions of the registry are found and described', async () => {
  const { page, server } = story
  await createAccount(page, server.address, 'ada')
  const settled = page.waitForResponse((answer) => answer.url().endsWith('/editor_settings'))
  await createDevbox(page, server.address, STATIC, 'index.html')
  await settled
  // A visit that looks for no extension asks nobody for any.
  expect(registry.queries).toEqual([])
  await search(page, 'acme')
  await found(page, 'Acme Night').waitFor()
  await picture('search-dark', page)
  await found(page, 'Acme Night').click()
  await details(page).waitFor()
  const readme = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame')
  await readme.getByText('Blue as the sky after ten.').waitFor()
  await picture('details-dark', page)
})

step('WB811: a theme is installed and chosen', async () => {
  const { page } = story
  await install(page, 'Acme Night')
  const chosen = kept(page)
  await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Acme Night' }).first().waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => ground(page), POLL).toBe('#102030')
  expect((await chosen).status()).toBe(200)
})

step('WB811: code runs in the page, with workers of its own', async () => {
  const { page } = story
  await search(page, 'hello')
  await install(page, 'Acme Hello')
  await command(page, 'Acme: Say Hello')
  await said(page, 'Hello you from a worker').waitFor()
  await picture('command', page)
})

step('WB812: what needs a machine is not installed, and it is said why', async () => {
  const { page } = story
  await search(page, 'machine')
  await found(page, 'Acme Machine').click()
  await details(page).filter({ hasText: 'Acme Machine' }).waitFor()
  await details(page)
    .getByText(/needs a machine/)
    .first()
    .waitFor()
  expect(await details(page).getByRole('button', { name: 'Install', exact: true, disabled: false }).count()).toBe(0)
  await picture('machine', page)
})

step('WB811: an extension is installed from a file, by its button and by dragging it into the view', async () => {
  const { page } = story
  await search(page, ' ')
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Install from VSIX...' }).first().click()
  const chosen = kept(page)
  await (await choosing).setFiles({ name: 'day.vsix', mimeType: 'application/zip', buffer: await vsixOf(day) })
  await details(page).filter({ hasText: 'Acme Day' }).waitFor()
  expect((await chosen).status()).toBe(200)
  const dropped = kept(page)
  const bytes = (await vsixOf(dusk)).toString('base64')
  const transfer = await page.evaluateHandle((encoded) => {
    const carried = new DataTransfer()
    const content = Uint8Array.from(atob(encoded), (one) => one.codePointAt(0)!)
    carried.items.add(new File([content], 'dusk.vsix', { type: 'application/zip' }))
    return carried
  }, bytes)
  await view(page).dispatchEvent('drop', { dataTransfer: transfer })
  await details(page).filter({ hasText: 'Acme Dusk' }).waitFor()
  expect((await dropped).status()).toBe(200)
  await picture('from-files', page)
})

step('WB980: one from a file brings what it needs from the registry, or says what is not there', async () => {
  const { page } = story
  const bring = async (extension: TestExtension) => {
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Install from VSIX...' }).first().click()
    const buffer = await vsixOf(extension)
    await (await choosing).setFiles({ name: `${extension.name}.vsix`, mimeType: 'application/zip', buffer })
  }
  await bring(orphan)
  await said(page, /orphan\.vsix was not installed: It depends on acme\.nowhere/).waitFor()
  await bring(wholeDay)
  const trust = page.getByRole('button', { name: /Trust Publisher/ })
  const without = said(page, /whole-day\.vsix was installed without .* acme\.lost/)
  await trust.or(without).first().waitFor()
  if (await trust.isVisible()) await trust.click()
  await without.waitFor()
  await search(page, '@installed')
  for (const name of ['Acme Whole Day', 'Acme Morning', 'Acme Noon']) await found(page, name).waitFor()
  expect(await found(page, 'Acme Orphan').count()).toBe(0)
  await search(page, ' ')
})

step('WB814: another browser of the same person has the extensions too', async () => {
  const { page, browser } = story
  elsewhere = await openBrowser()
  await elsewhere.addCookies(await browser.cookies())
  const other = elsewhere.pages()[0]!
  await other.goto(page.url())
  await other.getByRole('treeitem', { name: 'index.html', exact: true }).waitFor()
  // The theme that was chosen is of an extension.
  await expect.poll(() => ground(other), POLL).toBe('#102030')
  await search(other, '@installed')
  for (const name of ['Acme Night', 'Acme Hello', 'Acme Day', 'Acme Dusk']) await found(other, name).waitFor()
  await picture('second-browser', other)
})

step('WB813: an extension has none of the rights of the person', async () => {
  const { page } = story
  await search(page, 'thief')
  await install(page, 'Evil Thief')
  await command(page, 'Evil: Steal')
  const told = async (who: string): Promise<Record<string, unknown>> => {
    const message = said(page, new RegExp(`^${who} \\{`))
    await message.waitFor()
    return JSON.parse((await message.innerText()).slice(who.length + 1)) as Record<string, unknown>
  }
  const nothing = { isOfApp: false, read: 'refused: TypeError', socket: 'refused: Error' }
  const host = await told('host')
  const seen = await told('view')
  await picture('thief', page)
  expect(host).toMatchObject({ ...nothing, write: 'refused: TypeError' })
  expect(seen).toMatchObject({ ...nothing, write: 'refused: TypeError', cookie: 'none', storage: '0' })
  expect(seen['page']).toMatch(/refused|^$/)
  const settings = await page.evaluate(async () => (await fetch('/api/v1/users/current/editor_settings')).text())
  expect(settings).toContain('evil.thief')
  expect(settings).not.toContain('stolen')
  expect(await page.title()).not.toBe('stolen')
})

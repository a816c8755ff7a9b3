import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { TestExtensionRegistry, vsixOf } from '../../apps/server/src/testing/extensionRegistry.ts'
import { createDevbox, editor, STATIC } from '../editor/editorPage.ts'
import { openBrowser } from '../support/browser.ts'
import { createAccount } from '../support/createAccount.ts'
import { beginStory, repository } from '../support/story.ts'
import { hello, machine, night, own, thief } from './testExtensions.ts'

// Extensions of the editor: from a registry and from a file, what they can do, and what they can't.

const registry = new TestExtensionRegistry([night, hello, machine, thief])
const { story, step } = beginStory('extensions', { BOXYARD_EXTENSION_REGISTRY: await registry.start() })
const POLL = { timeout: 120_000 }
let devbox: string
let other: BrowserContext | undefined
afterAll(async () => {
  await other?.close()
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
  devbox = await createDevbox(page, server.address, STATIC, 'index.html')
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

step('WB816: an extension that comes as a file is chosen or dropped, and kept', async () => {
  const { page, folder } = story
  const path = join(folder, 'own.vsix')
  await writeFile(path, await vsixOf(own))
  await search(page, '@installed')
  const choosing = page.waitForEvent('filechooser')
  const stored = kept(page)
  await page.getByRole('button', { name: 'Install from VSIX...' }).click()
  await (await choosing).setFiles(path)
  await details(page).filter({ hasText: 'My Own' }).waitFor()
  expect((await stored).status()).toBe(200)
  await command(page, 'My Own: Speak')
  await said(page, 'My own words').waitFor()
  await picture('from-file', page)

  const broken = Buffer.from('no archive').toString('base64')
  await view(page).evaluate((node, content) => {
    const transfer = new DataTransfer()
    const bytes = Uint8Array.from(atob(content), (sign) => sign.charCodeAt(0))
    transfer.items.add(new File([bytes], 'broken.vsix'))
    node.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: transfer }))
  }, broken)
  await said(page, /broken\.vsix was not installed: This is no archive of an extension/).waitFor()
})

step('WB814: the extensions of one browser are those of the next', async () => {
  const { server } = story
  other = await openBrowser()
  const url = server.address.replace('http:', 'https:')
  const cookies = await story.browser.cookies(url)
  await other.addCookies(cookies.map(({ name, value }) => ({ name, value, url, secure: true })))
  const next = other.pages()[0]!
  await next.goto(devbox)
  await editor(next).locator('.view-line').first().waitFor()
  await expect.poll(() => ground(next), POLL).toBe('#102030')
  await search(next, '@installed')
  for (const name of ['My Own', 'Acme Hello']) await found(next, name).waitFor()
  await command(next, 'My Own: Speak')
  await said(next, 'My own words').waitFor()
  await command(next, 'Acme: Say Hello')
  await said(next, 'Hello you from a worker').waitFor()
  await picture('next-browser', next)
})

step('WB814: what is removed or switched off in one browser is so in the other', async () => {
  const next = other!.pages()[0]!
  const { page } = story
  await search(next, '@installed')
  const removed = kept(next)
  await found(next, 'Evil Thief').click()
  await details(next).getByRole('button', { name: 'Uninstall' }).first().click()
  expect((await removed).status()).toBe(200)
  const off = kept(next)
  await found(next, 'Acme Hello').click()
  await details(next).filter({ hasText: 'Acme Hello' }).waitFor()
  await details(next).getByRole('button', { name: 'Disable', exact: true }).first().click()
  expect((await off).status()).toBe(200)
  // The first browser hears of it when it is opened again.
  await page.goto(devbox)
  await editor(page).locator('.view-line').first().waitFor()
  await search(page, '@installed')
  await found(page, 'My Own').waitFor()
  await found(page, 'Evil Thief').waitFor({ state: 'detached' })
  await view(page).locator('.extension-list-item.disabled').filter({ hasText: 'Acme Hello' }).waitFor()
  await picture('after-reload', page)
})

step('WB815: a registry that is away is said to be, and what is installed goes on', async () => {
  const { page } = story
  registry.answer = (_request, response) => void response.writeHead(500).end()
  await search(page, 'night')
  await view(page)
    .getByText(/cannot connect|does not answer|error while/i)
    .first()
    .waitFor()
  await picture('registry-away', page)
  await command(page, 'My Own: Speak')
  await said(page, 'My own words').waitFor()
  registry.answer = undefined
})

step('WB817: a new version comes when somebody looks for updates', async () => {
  const { page } = story
  registry.extensions = registry.extensions.map((one) =>
    one.name === 'night'
      ? {
          ...night,
          version: '1.1.0',
          files: { ...night.files, 'night.json': night.files!['night.json']!.toString().replace('#102030', '#203040') },
        }
      : one,
  )
  await command(page, 'Extensions: Check for Extension Updates')
  await expect.poll(() => ground(page), POLL).toBe('#203040')
})

step('the view in light colors, and in small windows', async () => {
  const { page } = story
  await command(page, 'Preferences: Color Theme')
  await page.locator('.quick-input-widget input').fill('Boxyard Light')
  await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Boxyard Light' }).first().waitFor()
  await page.keyboard.press('Enter')
  await page.locator('.monaco-workbench.vs').waitFor()
  await search(page, 'acme')
  await found(page, 'Acme Night').click()
  await details(page).filter({ hasText: 'Acme Night' }).waitFor()
  await picture('light-1440', page)
  await page.setViewportSize({ width: 836, height: 900 })
  await picture('light-836', page)
  await page.setViewportSize({ width: 374, height: 800 })
  await command(page, 'View: Show Extensions')
  await found(page, 'Acme Night').waitFor()
  await picture('light-374', page)
})

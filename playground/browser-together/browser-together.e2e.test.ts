import { join } from 'node:path'
import type { BrowserContext, FrameLocator, Locator, Page } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { caretAfter } from '../support/caretAfter.ts'
import { openBrowser } from '../support/browser.ts'
import { createAccount } from '../support/createAccount.ts'
import { freePort, startServer } from '../support/server.ts'
import { beginStory, repository } from '../support/story.ts'
import { isPreview, PREVIEW_FRAME } from '../support/previewFrame.ts'

// Two people in one sandbox without a machine, also while the server is away. The tests are steps of one story and build on each other.

const port = await freePort()
const { story, step } = beginStory('browser-together', { PORT: String(port) })
let elsewhere: BrowserContext
let grace: Page
afterAll(() => elsewhere?.close())

const POLL = { timeout: 30_000 }
const preview = (window: Page): FrameLocator => window.frameLocator(PREVIEW_FRAME).first()
const editor = (window: Page): Locator => window.locator('.editor-instance .monaco-editor').first()
const lines = (window: Page): Locator => editor(window).locator('.view-lines')

async function openFile(window: Page, name: string): Promise<void> {
  await window.getByRole('treeitem', { name: 'package.json', exact: true }).waitFor()
  await window.keyboard.press('Control+p')
  await window.locator('.quick-input-widget input').fill(name)
  await window.locator('.quick-input-list .monaco-list-row').filter({ hasText: name }).first().waitFor()
  await window.keyboard.press('Enter')
  await window
    .getByRole('tab', { name: new RegExp(name) })
    .first()
    .waitFor()
}

/** Puts the caret behind the first place where `text` stands in the open file. */
async function putCaretAfter(window: Page, text: string): Promise<void> {
  await lines(window).click()
  await caretAfter(window, text)
}

/** Waits until the editor shows a text; spaces there are no plain ones. */
const shown = (window: Page, text: string): Promise<void> =>
  lines(window)
    .filter({ hasText: new RegExp(text.replaceAll(' ', '\\s')) })
    .waitFor()

step('two people open the same sandbox and see each other', async () => {
  const { page, server } = story
  await createAccount(page, server.address, 'ada')
  await page.goto(`${server.address}/dashboard/recent?create=true`)
  await page.getByRole('option', { name: /React \(Vite, TypeScript\)/ }).click()
  await page.getByLabel('Runs').click()
  await page.getByRole('option', { name: 'In your browser' }).click()
  await page.getByRole('button', { name: /^Create from/ }).click()
  await page.waitForURL('**/sandbox/*')
  await preview(page).getByRole('heading', { name: 'Hello React' }).waitFor()

  elsewhere = await openBrowser()
  grace = elsewhere.pages()[0]!
  grace.on('console', (message) => story.said.push(`grace ${message.type()}: ${message.text()}`))
  await createAccount(grace, server.address, 'grace')
  const id = new URL(page.url()).pathname.split('/').at(-1)
  const answer = await page.evaluate(async (sandboxId) => {
    const query = `mutation ($id: ID!) { addCollaborator(sandboxId: $id, username: "grace", authorization: WRITE_CODE) { id } }`
    const response = await fetch('/api/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables: { id: sandboxId } }),
    })
    return response.text()
  }, id)
  expect(answer).not.toContain('errors')
  await grace.goto(page.url())
  await preview(grace).getByRole('heading', { name: 'Hello React' }).waitFor()
  await grace.getByRole('list', { name: 'People here' }).getByRole('button', { name: 'ada' }).waitFor()
  await page.getByRole('list', { name: 'People here' }).getByRole('button', { name: 'grace' }).waitFor()
})

step('what one types the other sees, in the preview before the file is opened, then in the text', async () => {
  const { page } = story
  await openFile(page, 'App.tsx')
  await putCaretAfter(page, 'Hello React')
  await page.keyboard.type(' by ada')
  await preview(grace).getByRole('heading', { name: 'Hello React by ada' }).waitFor()
  await openFile(grace, 'App.tsx')
  await shown(grace, 'Hello React by ada')
  await putCaretAfter(grace, 'by ada')
  await grace.keyboard.type(' and grace')
  await shown(page, 'by ada and grace')
  await preview(page).getByRole('heading', { name: 'Hello React by ada and grace' }).waitFor()
  await editor(page).locator('[class*="boxyard-cursor-"]').first().waitFor({ state: 'attached' })
  await page.screenshot({ path: join(repository, 'test-results', 'browser-together.png') })
})

step('what one saves is saved for both, and files come to both', async () => {
  const { page } = story
  await page.keyboard.press('Control+s')
  await page.locator('header').getByText('Saved', { exact: true }).waitFor()
  await grace.locator('header').getByText('Saved', { exact: true }).waitFor()
  await page.evaluate(async () => {
    const id = location.pathname.split('/').at(-1)
    await fetch(`/api/v1/sandboxes/${id}/modules`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'NOTES.md', code: 'notes' }),
    })
  })
  for (const window of [page, grace]) await window.getByRole('treeitem', { name: 'NOTES.md', exact: true }).waitFor()
})

step('BB1023: a click on somebody’s picture shows the files that they see, until it is ended', async () => {
  const { page } = story
  const picture = grace.locator('header').getByRole('button', { name: 'Follow ada' })
  const selected = (name: RegExp) => grace.getByRole('tab', { name, selected: true }).waitFor()
  await picture.click()
  await grace.getByText('Following ada').waitFor()
  await openFile(page, 'main.tsx')
  await selected(/main\.tsx/)
  await openFile(page, 'App.tsx')
  await selected(/App\.tsx/)
  await picture.click()
  await grace.getByText('Following ada').waitFor({ state: 'detached' })
})

step('both go on typing while the server is killed, and everything is there when it is back', async () => {
  const { page, server, folder } = story
  await server.end('SIGKILL')
  await putCaretAfter(page, 'and grace')
  await page.keyboard.type(' without')
  await shown(page, 'and grace without')
  await putCaretAfter(grace, 'Hello React')
  await grace.keyboard.type(' too')
  await shown(grace, 'Hello React too by ada and grace')
  const environment = { BOXYARD_HOME: join(folder, 'home'), PORT: String(port) }
  story.server = await startServer(repository, environment)
  for (const window of [page, grace]) {
    await shown(window, 'Hello React too by ada and grace without')
    await preview(window).getByRole('heading', { name: 'Hello React too by ada and grace without' }).waitFor()
  }
})

/** Resolves when the browser has kept everything with which this sandbox opens without a server. */
async function kept(window: Page): Promise<void> {
  const hasWorker = async () => (await navigator.serviceWorker.getRegistration('/'))?.active?.state === 'activated'
  const page = window.frames().find((frame) => isPreview(frame.url()))!
  for (const frame of [window.mainFrame(), page]) await expect.poll(() => frame.evaluate(hasWorker), POLL).toBe(true)
  await expect
    .poll(() => window.evaluate(async () => Boolean(await caches.match(location.origin + location.pathname))), POLL)
    .toBe(true)
  await expect.poll(() => page.evaluate(async () => Boolean(await caches.match('/'))), POLL).toBe(true)
}

step(
  'BB955, BB956, BB957: without a server a sandbox opens, is edited and shows its page; what was typed comes later',
  async () => {
    const { page, server, folder } = story
    await kept(grace)
    await server.end('SIGKILL')
    await grace.reload()
    await shown(grace, 'Hello React too by ada and grace without')
    await preview(grace).getByRole('heading', { name: 'Hello React too by ada and grace without' }).waitFor()
    await grace.locator('header').getByText('Offline, runs in your browser').waitFor()
    await grace.locator('header').getByText('Kept in this browser').waitFor()
    // Its icon is a letter of the font of the theme.
    const icon = grace.getByRole('treeitem', { name: 'App.tsx', exact: true }).locator('.monaco-icon-label')
    const letter = () => icon.evaluate((label) => getComputedStyle(label, '::before').content)
    await expect.poll(letter, POLL).toMatch(/^"[^"]+"$/)
    await putCaretAfter(grace, 'and grace without')
    await grace.keyboard.type(' server')
    await preview(grace).getByRole('heading', { name: 'by ada and grace without server' }).waitFor()
    // What opened it is for nobody's eyes, and the project's code neither.
    expect(grace.frames().map((frame) => frame.url())).not.toContainEqual(expect.stringContaining('preview_token'))
    await grace.screenshot({ path: join(repository, 'test-results', 'browser-together-offline.png') })
    await grace.reload()
    await preview(grace).getByRole('heading', { name: 'by ada and grace without server' }).waitFor()
    const environment = { BOXYARD_HOME: join(folder, 'home'), PORT: String(port) }
    story.server = await startServer(repository, environment)
    for (const window of [page, grace]) {
      await shown(window, 'Hello React too by ada and grace without server')
      await preview(window).getByRole('heading', { name: 'by ada and grace without server' }).waitFor()
      await window.locator('header').getByText('Runs in your browser', { exact: true }).waitFor()
    }
  },
)

step('a page that is opened again finds what nobody has saved', async () => {
  await grace.reload()
  await preview(grace).getByRole('heading', { name: 'by ada and grace without server' }).waitFor()
})

step('AP947: one gives it a machine, and both go on there with what nobody has saved', async () => {
  const { page } = story
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Convert to devbox' }).click()
  const question = page.getByRole('dialog', { name: /^Convert .* to a devbox\?$/ })
  await question.getByRole('button', { name: 'Convert', exact: true }).click()
  const told = grace.getByRole('dialog', { name: 'This sandbox is a devbox now' })
  await told.getByRole('button', { name: 'Open the devbox' }).waitFor()
  await grace.screenshot({ path: join(repository, 'test-results', 'browser-together-converted.png') })
  await told.getByRole('button', { name: 'Open the devbox' }).click()
  for (const window of [page, grace]) {
    await window.waitForURL('**/devbox/*')
    // What they looked at goes along, and nothing of the sandbox stays beside it.
    await window.getByRole('tab', { name: /^App\.tsx/, selected: true }).waitFor()
    expect(await window.getByRole('tab', { name: /^App\.tsx/ }).count()).toBe(1)
    await shown(window, 'Hello React too by ada and grace without server')
  }
  await page.screenshot({ path: join(repository, 'test-results', 'browser-together-devbox.png') })
})

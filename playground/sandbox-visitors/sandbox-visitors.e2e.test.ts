import { join } from 'node:path'
import type { BrowserContext, FrameLocator, Locator, Page } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { createAccount } from '../support/createAccount.ts'
import { beginStory, repository } from '../support/story.ts'

// What somebody does with a sandbox that is not theirs. The tests are steps of one story and build on each other.

const { story, step } = beginStory('sandbox-visitors')
let elsewhere: BrowserContext
let visitor: Page
let original = ''
afterAll(() => elsewhere?.close())

const preview = (window: Page): FrameLocator => window.frameLocator('iframe[src*=".preview."]').first()
const editor = (window: Page): Locator => window.locator('.editor-instance .monaco-editor').first()
const picture = (name: string) => ({ path: join(repository, 'test-results', `sandbox-visitors-${name}.png`) })

async function openFile(window: Page, name: string): Promise<void> {
  await window.getByRole('treeitem', { name, exact: true }).dblclick()
  await window
    .getByRole('tab', { name: new RegExp(name), selected: true })
    .first()
    .waitFor()
}

/** Puts the caret behind the first place where `text` stands in the open file. */
async function caretAfter(window: Page, text: string): Promise<void> {
  await editor(window).locator('.view-lines').click()
  await window.keyboard.press('Control+f')
  await window.locator('.find-widget textarea').first().fill(text)
  await window.keyboard.press('Enter')
  await window.keyboard.press('Escape')
  await window.waitForFunction(() =>
    document.activeElement?.closest('.find-widget, .editor-instance')?.matches('.editor-instance'),
  )
  await window.keyboard.press('ArrowRight')
}

const stored = (window: Page, id: string): Promise<string> =>
  window.evaluate(async (sandboxId) => (await fetch(`/api/v1/sandboxes/${sandboxId}`)).text(), id)

step('somebody makes a public sandbox', async () => {
  const { page, server } = story
  await createAccount(page, server.address, 'ada')
  original = await page.evaluate(async () => {
    const answer = await fetch('/api/v1/sandboxes/static/fork', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ v2: false, privacy: 0, title: 'Ada shows HTML' }),
    })
    return ((await answer.json()) as { data: { id: string } }).data.id
  })
  expect(original).toMatch(/^\w+$/)
})

step('a visitor sees it, may not type, and is told how to', async () => {
  elsewhere = await openBrowser()
  visitor = elsewhere.pages()[0]!
  visitor.on('console', (message) => story.said.push(`visitor ${message.type()}: ${message.text()}`))
  await visitor.goto(`${story.server.address}/sandbox/${original}`)
  await preview(visitor).getByRole('heading', { name: 'Hello HTML' }).waitFor()
  await openFile(visitor, 'index.html')
  await caretAfter(visitor, 'Hello HTML')
  await visitor.keyboard.type(' by nobody')
  expect(await editor(visitor).locator('.view-lines').innerText()).not.toContain('nobody')
  await visitor.getByRole('button', { name: 'Sign in to edit' }).waitFor()
  await visitor.screenshot(picture('visitor'))
})

step('who has an account types at once, and every character is in a copy of their own', async () => {
  await createAccount(visitor, story.server.address, 'grace')
  await visitor.goto(`${story.server.address}/sandbox/${original}`)
  await preview(visitor).getByRole('heading', { name: 'Hello HTML' }).waitFor()
  await openFile(visitor, 'index.html')
  await caretAfter(visitor, 'Hello HTML')
  const typed = ' by grace, who types without a pause while her copy is made'
  await visitor.keyboard.type(typed)
  await visitor.getByText('We forked this Sandbox to your Drafts, so that you can edit it').waitFor()
  await visitor.waitForURL((url) => !url.pathname.endsWith(original))
  const copy = new URL(visitor.url()).pathname.split('/').at(-1)!
  await visitor.screenshot(picture('forked'))
  await preview(visitor)
    .getByRole('heading', { name: `Hello HTML${typed}` })
    .waitFor()
  expect(await visitor.locator('iframe[src*=".preview."]').first().getAttribute('src')).toContain(`//${copy}-8080.`)
  await visitor.keyboard.press('Control+s')
  await visitor.locator('header').getByText('Saved', { exact: true }).waitFor()
  expect(await stored(visitor, copy)).toContain(`Hello HTML${typed}`)
  expect(await stored(visitor, original)).not.toContain('grace, who types')
})

step('the copy is there when the page is loaded again, and is not forked once more', async () => {
  const address = visitor.url()
  await visitor.reload()
  await preview(visitor)
    .getByRole('heading', { name: /by grace, who types/ })
    .waitFor()
  await openFile(visitor, 'index.html')
  await caretAfter(visitor, 'her copy is made')
  await visitor.keyboard.type('!')
  await preview(visitor)
    .getByRole('heading', { name: /is made!/ })
    .waitFor()
  expect(visitor.url()).toBe(address)
})

import { join } from 'node:path'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, expect, vi } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { createAccount } from '../support/createAccount.ts'
import { beginStory, repository } from '../support/story.ts'

// Two people talk about the lines of a text in the editor. The tests are steps of one story and build on each other.

const { story, step } = beginStory('comments')
let elsewhere: BrowserContext
let grace: Page
/** The comment that begins the thread. */
let commentId: string
afterAll(() => elsewhere?.close())

const lines = (window: Page): Locator => window.locator('.editor-instance .view-lines:visible').first()
/** The thread in the text that says this. */
const thread = (window: Page, says: string): Locator =>
  window.locator('.editor-instance .review-widget').filter({ hasText: says })
const picture = (window: Page, name: string) =>
  window.screenshot({ path: join(repository, 'test-results', `${name}.png`) })

/** Opens the input in which commands and files are chosen. Before the editor has its commands its keys mean nothing. */
async function ask(window: Page, keys: string): Promise<Locator> {
  const input = window.locator('.quick-input-widget input:visible')
  const isAsked = async () => {
    await window.keyboard.press(keys)
    return input.waitFor({ timeout: 5_000 }).then(
      () => true,
      () => false,
    )
  }
  await vi.waitUntil(isAsked, { timeout: 120_000, interval: 100 })
  return input
}

async function openFile(window: Page, name: string): Promise<void> {
  await (await ask(window, 'Control+p')).fill(name)
  await window.locator('.quick-input-list .monaco-list-row').filter({ hasText: name }).first().waitFor()
  await window.keyboard.press('Enter')
  await window
    .getByRole('tab', { name: new RegExp(name) })
    .first()
    .waitFor()
}

async function command(window: Page, name: string): Promise<void> {
  await (await ask(window, 'F1')).fill(`>${name}`)
  await window.locator('.quick-input-list .monaco-list-row').filter({ hasText: name }).first().click()
}

async function graphql(window: Page, query: string): Promise<Record<string, unknown>> {
  const answer = await window.evaluate(async (body) => {
    const response = await fetch('/api/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: body }),
    })
    return (await response.json()) as { data: Record<string, unknown>; errors?: object[] }
  }, query)
  expect(answer.errors).toBeUndefined()
  return answer.data
}

step('two people open the same text', async () => {
  const { page, server } = story
  await createAccount(page, server.address, 'ada')
  await page.goto(`${server.address}/dashboard/recent?create=true`)
  await page.getByRole('option', { name: /React \(Vite, TypeScript\)/ }).click()
  await page.getByLabel('Runs').click()
  await page.getByRole('option', { name: 'In your browser' }).click()
  await page.getByRole('button', { name: /^Create from/ }).click()
  await page.waitForURL('**/sandbox/*')
  elsewhere = await openBrowser()
  grace = elsewhere.pages()[0]!
  grace.on('console', (message) => story.said.push(`grace ${message.type()}: ${message.text()}`))
  await createAccount(grace, server.address, 'grace')
  const id = new URL(page.url()).pathname.split('/').at(-1)
  await graphql(
    page,
    `mutation { addCollaborator(sandboxId: "${id}", username: "grace", authorization: WRITE_CODE) { id } }`,
  )
  await grace.goto(page.url())
  for (const window of [page, grace]) {
    await openFile(window, 'App.tsx')
    await lines(window).getByText('export').first().waitFor()
  }
})

step('WB650: a comment is begun on a line, and stands in the text of everyone', async () => {
  const { page } = story
  await lines(page).click()
  await page.keyboard.press('Control+Home')
  await command(page, 'Add Comment on Current Selection')
  await page.locator('.review-widget .comment-form .monaco-editor').first().waitFor()
  await page.keyboard.type('Why **here**?')
  await page
    .locator('.review-widget')
    .getByRole('button', { name: /^Comment \(/ })
    .click()
  await thread(page, 'Why here?').waitFor()
  await thread(grace, 'Why here?').waitFor()
  await picture(page, 'comments')
})

step('WB651, WB1088: an answer of somebody else stands below it in every window, and tells whom it names', async () => {
  const { page } = story
  const shown = thread(grace, 'Why here?')
  await shown.locator('.review-thread-reply-button').click()
  await grace.keyboard.type('@ad')
  await grace.locator('.suggest-widget .monaco-list-row').filter({ hasText: 'ada' }).first().waitFor()
  await picture(grace, 'comments-mention')
  await grace.keyboard.press('Enter')
  await grace.keyboard.type('It is the first line')
  await shown.getByRole('button', { name: /^Reply \(/ }).click()
  for (const window of [page, grace]) await thread(window, '@ada It is the first line').waitFor()
  const { me } = await graphql(page, '{ me { notifications(limit: 1) { type } } }')
  expect(me).toEqual({ notifications: [{ type: 'mention' }] })
  await picture(grace, 'comments-answered')
})

step('WB611: the thread stays at its line when the text above it grows', async () => {
  const { page } = story
  const id = new URL(page.url()).pathname.split('/').at(-1)
  const { sandbox } = await graphql(page, `{ sandbox(sandboxId: "${id}") { comments { id } } }`)
  commentId = (sandbox as { comments: { id: string }[] }).comments[0]!.id
  await lines(page).click()
  await page.keyboard.press('Control+Home')
  // An empty line would go again: what is saved is formatted.
  await page.keyboard.type('// What comes first')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+s')
  await page.locator('header').getByText('Saved', { exact: true }).waitFor()
  /** The line that the thread stands below. */
  const above = (window: Page): Promise<string> =>
    window.evaluate(() => {
      const top = document.querySelector('.editor-instance .review-widget')!.getBoundingClientRect().top
      const rows = [...document.querySelectorAll('.editor-instance .view-lines .view-line')]
      const bottom = (row: Element) => row.getBoundingClientRect().bottom
      const before = rows.filter((row) => bottom(row) <= top + 1).toSorted((one, other) => bottom(one) - bottom(other))
      return before.at(-1)?.textContent ?? ''
    })
  for (const window of [page, grace]) await expect.poll(() => above(window), { timeout: 60_000 }).toContain('import')
})

step('WB652: resolving closes the thread for everyone, and its address opens it again', async () => {
  const { page, server } = story
  await thread(page, 'Why here?').getByRole('button', { name: 'Resolve' }).click()
  for (const window of [page, grace]) await thread(window, 'Why here?').waitFor({ state: 'hidden' })
  const place = new URL(page.url()).pathname
  await grace.goto(`${server.address}${place}?comment=${commentId}`)
  await thread(grace, 'Why here?').waitFor()
  await thread(grace, 'It is the first line').getByText('Resolved').waitFor()
  await picture(grace, 'comments-resolved')
  await thread(grace, 'Why here?').getByRole('button', { name: 'Open again' }).click()
  await thread(grace, 'Why here?').getByRole('button', { name: 'Resolve' }).waitFor()
  await thread(page, 'Why here?').waitFor()
})

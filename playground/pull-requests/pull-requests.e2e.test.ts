import { GitClient } from '@boxyard/git-host/testing'
import { join } from 'node:path'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { OLDEST, writeLongHistory } from '../support/longHistory.ts'
import type { RunningServer } from '../support/server.ts'
import { beginStory, repository } from '../support/story.ts'

// A repository on its way: imported, opened on a machine, changed on a branch, reviewed by a second person and merged, on a server
// without any other git host. The tests are steps of one story and build on each other.

const COMMITS = 3000

const { story, step: it } = beginStory('pull-requests')
let server: RunningServer
let grace: BrowserContext
let author: Page
/** The window with the pull request, beside the one with the editor. */
let pull: Page
let reviewer: Page
let token: string
let mainPath: string
let client: GitClient

beforeAll(async () => {
  ;({ server, page: author } = story)
  grace = await openBrowser()
  reviewer = grace.pages()[0]!
})

afterAll(async () => {
  await grace?.close()
  client?.remove()
})

async function signUp(page: Page, name: string): Promise<void> {
  await page.goto(`${server.address}/_git/join?return_to=/_git/`)
  await page.getByLabel('User name').fill(name)
  await page.getByLabel(/^Email/).fill(`${name}@example.org`)
  await page.getByLabel(/^Password/).fill('correct horse battery')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText(`You are signed in as ${name}`).waitFor()
  await page.goto(server.address)
  await page
    .getByRole('button', { name: /sign in/i })
    .first()
    .click()
  const opened = page.context().waitForEvent('page')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /sign in with/i })
    .click()
  const popup = await opened
  // Whoever signed in a moment ago is not asked again, and the window closes by itself.
  const go = popup.getByRole('button', { name: `Continue as ${name}` })
  await Promise.race([page.waitForURL('**/dashboard/recent'), go.click().catch(() => undefined)])
  await page.waitForURL('**/dashboard/recent')
}

async function connect(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Repositories' }).click()
  await page.getByRole('link', { name: 'Allow access to all repositories' }).click()
  const go = page.getByRole('button', { name: `Continue as ${name}` })
  const list = page.getByRole('region', { name: 'At the git host' })
  await go.or(list).first().waitFor()
  if (await go.isVisible()) await go.click()
  await list.waitFor()
}

const host = async (method: string, path: string, body: object) => {
  const answer = await fetch(`${server.address.replace('app.boxyard.localhost', 'localhost')}/_git/api/v3${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.status).toBeLessThan(300)
  return answer.status === 204 ? {} : ((await answer.json()) as Record<string, unknown>)
}

const pullPage = () => `${server.address}/dashboard/repositories/github/ada/todo/pulls/1`

it('lets two people in, and one of them push a repository with a long history from home', async () => {
  await signUp(author, 'ada')
  await signUp(reviewer, 'grace')
  await author.goto(`${server.address}/_git/settings/tokens`)
  await author.getByRole('button', { name: 'Create a token' }).click()
  token = (await author.locator('code').innerText()).trim()
  const made = await host('POST', '/user/repos', { name: 'todo' })
  await host('PUT', '/repos/ada/todo/collaborators/grace', { permission: 'push' })
  client = new GitClient(token)
  await client.init(made['clone_url'] as string)
  await writeLongHistory(client, COMMITS)
  await client.commit('Say what it is', { 'README.md': '# Todo\n', 'src/list.ts': 'export const list = []\n' })
  await client.git('push', '--quiet', 'origin', 'main')
})

it('asks for access to repositories when it is needed, and imports one', async () => {
  await author.goto(`${server.address}/dashboard/recent`)
  await connect(author, 'ada')
  await author.getByRole('button', { name: 'Import ada/todo' }).click()
  await author.waitForURL('**/github/ada/todo/main')
})

it('opens the default branch in the editor on a machine of its own', async () => {
  await author.getByRole('treeitem', { name: 'README.md', exact: true }).waitFor()
  mainPath = new URL(author.url()).pathname
})

it('makes a branch of it in the editor and opens that on a machine of its own', async () => {
  await statusEntry(/The branch of this box is main/).click()
  await choose('Create a branch…')
  await answer('better-list')
  await author.waitForURL((url) => url.pathname !== mainPath && url.pathname.startsWith('/github/ada/todo/'))
  await statusEntry(/The branch of this box is better-list/).waitFor()
})

it('WB432, WB1069: shows what is edited: in the list of changes, beside the text, and side by side with the last commit', async () => {
  await openFile('list.ts')
  await text().click()
  await author.keyboard.press('Control+a')
  await author.keyboard.type(`export const list: string[] = ["milk"]\n`)
  await author.locator('.boxyard-diff-modified').first().waitFor()
  await author.keyboard.press('Control+s')
  await sourceControl().click()
  const row = author.locator('.scm-view .monaco-list-row[aria-label*="Modified"]')
  expect(await row.locator('.label-description').innerText()).toBe('src')
  // Beside another column there is room for one text, which shows both.
  const newTab = author.getByRole('tab', { name: 'New tab' })
  await newTab.click({ button: 'middle' })
  await newTab.waitFor({ state: 'detached' })
  await changed().click()
  const before = author.locator('.monaco-diff-editor .editor.original .view-lines')
  await expect.poll(() => before.innerText(), POLL).toMatch(/list\s=\s\[\]/)
  await picture(author, 'source-control')
})

it('takes back a single change, and the whole of it', async () => {
  const shown = author.locator('.monaco-diff-editor .editor.modified .view-lines')
  await shown.click()
  await author.keyboard.press('Control+Home')
  await command('Git: Revert Change')
  await expect.poll(() => shown.innerText(), POLL).toMatch(/list\s=\s\[\]/)
  await author.keyboard.press('Control+z')
  await expect.poll(() => shown.innerText(), POLL).toContain('milk')
  await author.keyboard.press('Control+s')
  await changed().hover()
  await changed()
    .getByRole('button', { name: /Discard Changes/ })
    .click()
  await author.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  await changed().waitFor({ state: 'detached' })
})

it('commits and pushes as the person, with nothing of theirs in the box', async () => {
  await openFile('list.ts')
  await text().click()
  await author.keyboard.press('Control+a')
  await author.keyboard.type(`export const list: string[] = ["milk"]\nexport const size = 1\n`)
  await author.keyboard.press('Control+s')
  await changed().waitFor()
  await author.locator('.scm-view .scm-editor .view-lines').click()
  await author.keyboard.type('Hold texts')
  await author
    .getByRole('button', { name: /Commit and Push/ })
    .first()
    .click()
  await author
    .getByRole('button', { name: /Create Pull Request/ })
    .first()
    .waitFor()
  await client.git('fetch', '--quiet', 'origin')
  expect(await client.git('log', '-1', '--format=%s|%an', 'origin/better-list')).toBe('Hold texts|ada\n')
})

it('opens a draft from the editor, and shows it to both people', async () => {
  await author
    .getByRole('button', { name: /Create Pull Request/ })
    .first()
    .click()
  await answer('A better list')
  await answer('It holds texts.')
  await choose('Open as a draft')
  const opened = author.context().waitForEvent('page')
  await author.locator('.notification-toast').getByRole('button', { name: 'Show Pull Request' }).click()
  pull = await opened
  await connectReviewer()
  await reviewer.goto(pullPage())
  for (const page of [pull, reviewer]) {
    await page.getByRole('heading', { name: /A better list/ }).waitFor()
    await page.getByText('Draft', { exact: true }).first().waitFor()
    await page.getByRole('region', { name: 'src/list.ts' }).getByText('["milk"]').waitFor()
  }
  await statusEntry(/A better list.*, Draft/).waitFor()
  await picture(author, 'pull-request-in-editor')
})

it('WB434: becomes ready in one window and is so in every other at once', async () => {
  await pull.getByRole('button', { name: 'Ready for review' }).click()
  for (const page of [pull, reviewer]) await page.getByText('Open', { exact: true }).first().waitFor()
  await statusEntry(/A better list.*, Open/).waitFor()
  await picture(reviewer, 'pull-request')
})

it('asks somebody for a review, takes that back, and asks again', async () => {
  const panel = pull.getByRole('region', { name: 'Reviewers' })
  const ask = async () => {
    await panel.getByLabel('Ask for a review').fill('grace')
    await panel.getByRole('button', { name: 'Ask', exact: true }).click()
    for (const page of [pull, reviewer])
      await page.getByRole('region', { name: 'Reviewers' }).getByText('asked, not answered yet').waitFor()
  }
  await ask()
  await panel.getByRole('button', { name: 'Withdraw the request to grace' }).click()
  for (const page of [pull, reviewer]) await page.getByText('Nobody is asked to review it.').waitFor()
  await ask()
  await picture(pull, 'reviewers')
})

const POLL = { timeout: 60_000 }
/** The text of the editor in front. */
const text = () => author.locator('.editor-instance .view-lines:visible').first()
const changed = () => author.locator('.scm-view .monaco-list-row').filter({ hasText: 'list.ts' })
const sourceControl = () => author.getByRole('tab', { name: /^Source Control/ })
/** An entry of the status bar by what it says to screen readers. */
const statusEntry = (says: RegExp): Locator => author.locator('.statusbar-item').getByRole('button', { name: says })
const picture = (page: Page, name: string) => page.screenshot({ path: join(repository, 'test-results', `${name}.png`) })

async function choose(label: string): Promise<void> {
  await author.locator('.quick-input-list .monaco-list-row').filter({ hasText: label }).first().click()
}

async function answer(text: string): Promise<void> {
  const input = author.locator('.quick-input-widget input:visible')
  await input.fill(text)
  await input.press('Enter')
}

async function ask(keys: string): Promise<Locator> {
  const input = author.locator('.quick-input-widget input:visible')
  // While the first text stands in for the editor, the keys of the editor's commands mean nothing.
  const isAsked = async () => {
    await author.keyboard.press(keys)
    return input.waitFor({ timeout: 5_000 }).then(
      () => true,
      () => false,
    )
  }
  await vi.waitUntil(isAsked, { timeout: 120_000, interval: 100 })
  return input
}

async function openFile(name: string): Promise<void> {
  await author.getByRole('treeitem', { name: 'README.md', exact: true }).or(sourceControl()).first().waitFor()
  await (await ask('Control+p')).fill(name)
  await author.locator('.quick-input-list .monaco-list-row').filter({ hasText: name }).first().waitFor()
  await author.keyboard.press('Enter')
  await author
    .getByRole('tab', { name: new RegExp(`^${name}`) })
    .first()
    .waitFor()
}

async function command(name: string): Promise<void> {
  await (await ask('F1')).fill(`>${name}`)
  await author.locator('.quick-input-list .monaco-list-row').filter({ hasText: name }).first().waitFor()
  await author.keyboard.press('Enter')
}

async function connectReviewer(): Promise<void> {
  await reviewer.goto(`${server.address}/dashboard/recent`)
  await connect(reviewer, 'grace')
}

it('AP962: shows the second person’s review with a line comment in the first one’s windows, and the answer in theirs', async () => {
  const file = reviewer.getByRole('region', { name: 'src/list.ts' })
  await file.getByRole('button', { name: 'Comment on line 1' }).last().click()
  await file.getByLabel('Comment', { exact: true }).fill('Why milk?\nAnd not tea?')
  await file.getByRole('button', { name: 'Add to your review' }).click()
  const review = reviewer.getByRole('region', { name: 'Your review' })
  await review.getByRole('textbox').pressSequentially('Nearly, @AD')
  await review.getByRole('option', { name: 'ada' }).waitFor()
  await reviewer.keyboard.press('Enter')
  await reviewer.getByRole('button', { name: 'Ask for changes' }).click()

  const mine = pull.getByRole('region', { name: 'src/list.ts' })
  const said = mine.getByText('Why milk?')
  await said.waitFor()
  expect(await said.innerText()).toContain('Why milk?\nAnd not tea?')
  await pull.getByText('asked for changes: Nearly, @ada').waitFor()
  await statusEntry(/A better list.*, Changes requested/).waitFor()
  await mine.getByRole('button', { name: 'Reply' }).click()
  await mine.getByLabel('Reply', { exact: true }).fill('We are out of it')
  await mine.getByRole('button', { name: 'Send reply' }).click()
  await file.getByText('We are out of it').waitFor()
})

it('AP962: shows the whole path of a file in a small window', async () => {
  await reviewer.setViewportSize({ width: 374, height: 812 })
  const heading = reviewer.getByRole('region', { name: 'src/list.ts' }).getByRole('heading')
  const isCut = await heading.evaluate((element) => {
    element.firstElementChild!.textContent = `src/${'folder/'.repeat(20)}list.ts`
    return element.scrollWidth > element.clientWidth
  })
  expect(isCut).toBe(false)
  await reviewer.setViewportSize({ width: 1440, height: 900 })
})

it('WB653: a comment on a line of the pull request stands in the editor, and is answered there', async () => {
  const thread = author.locator('.editor-instance .review-widget').filter({ hasText: 'Why milk?' })
  await thread.getByText('We are out of it').waitFor()
  await thread.locator('.review-thread-reply-button').click()
  await author.keyboard.type('It was on the list')
  await thread.getByRole('button', { name: /^Reply \(/ }).click()
  await reviewer.getByRole('region', { name: 'src/list.ts' }).getByText('It was on the list').waitFor()
  await thread.getByText('It was on the list').waitFor()
  await picture(author, 'line-comment')
})

it('WB654: a comment is begun on a line in the editor, and shown to the others', async () => {
  await text().click()
  await author.keyboard.press('Control+Home')
  await author.keyboard.press('ArrowDown')
  await command('Add Comment on Current Selection')
  const form = author.locator('.editor-instance .review-widget').filter({ hasText: 'Start discussion' })
  await form.locator('.comment-form .monaco-editor').waitFor()
  await author.keyboard.type('This one too')
  await form.getByRole('button', { name: /^Comment \(/ }).click()
  await reviewer.getByRole('region', { name: 'src/list.ts' }).getByText('This one too').waitFor()
  await author.locator('.editor-instance .review-widget').filter({ hasText: 'This one too' }).waitFor()
})

it('WB655: the whole history is in the box soon after it was opened with the newest commits', async () => {
  await openFile(OLDEST)
  await author.getByRole('tab', { name: /^Explorer/ }).click()
  const timeline = author.getByRole('button', { name: /^Timeline Section/ })
  if ((await timeline.getAttribute('aria-expanded')) !== 'true') await timeline.click()
  await author.locator('.timeline-tree-view .monaco-list-row').filter({ hasText: 'Change 1' }).first().waitFor()
  await picture(author, 'whole-history')
})

it('dismisses a review that holds no longer, with the reason', async () => {
  await pull.getByRole('button', { name: 'Dismiss the review of grace' }).click()
  const dialog = pull.getByRole('dialog', { name: 'Dismiss the review of grace' })
  await dialog.getByLabel('Why').fill('Milk it is')
  await picture(pull, 'dismiss-review')
  await dialog.getByRole('button', { name: 'Dismiss review' }).click()
  for (const page of [pull, reviewer]) await page.getByText('the review was dismissed: Nearly').waitFor()
})

it('AP963: merges by squash, and every window says so; who asked for it is not offered to approve it', async () => {
  await pull.getByText('Others approve what you ask for, or ask for changes.').waitFor()
  expect(await pull.getByRole('button', { name: /^(?:Approve|Ask for changes)$/ }).count()).toBe(0)
  await reviewer.getByRole('button', { name: 'Approve' }).click()
  await pull.getByText('grace approved').waitFor()
  await statusEntry(/A better list.*, Approved/).waitFor()
  await pull.getByRole('button', { name: 'Squash and merge' }).click()
  for (const page of [pull, reviewer]) await page.getByText('Merged', { exact: true }).waitFor()
  await statusEntry(/A better list.*, Merged/).waitFor()
  await client.git('fetch', '--quiet', 'origin')
  // One parent: the commits of the branch became one.
  expect(await client.git('log', '-1', '--format=%s|%P', 'origin/main')).toMatch(
    /^A better list \(#1\)\|[0-9a-f]{40}\n$/,
  )
  expect(await client.git('show', 'origin/main:src/list.ts')).toContain('milk')
})

it('shows the same in the light theme', async () => {
  await author.getByRole('button', { name: 'More', exact: true }).click()
  await author.getByRole('menuitem', { name: 'Light theme' }).click()
  await author.locator('.monaco-workbench.vs').waitFor()
  await picture(author, 'source-control-light')
  await pull.reload()
  await pull.getByText('Merged', { exact: true }).first().waitFor()
  await picture(pull, 'pull-request-light')
})

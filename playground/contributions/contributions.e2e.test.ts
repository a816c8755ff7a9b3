import { GitClient } from '@boxyard/git-host/testing'
import { join } from 'node:path'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { createAccount } from '../support/createAccount.ts'
import { writeLongHistory } from '../support/longHistory.ts'
import { beginStory, repository } from '../support/story.ts'

// Somebody who may read a repository and not write to it works on it: a branch is made by typing, pushed to a fork, and opened as a pull
// request. The tests are steps of one story and build on each other.

const COMMITS = 3000
const POLL = { timeout: 120_000 }
const { story, step } = beginStory('contributions')

let graceBrowser: BrowserContext
/** Who the repository belongs to. */
let ada: Page
/** Who contributes. */
let grace: Page
let token: string
let client: GitClient

afterAll(async () => {
  await graceBrowser?.close()
  client?.remove()
})

const picture = (page: Page, name: string) => page.screenshot({ path: join(repository, 'test-results', `${name}.png`) })
const statusEntry = (page: Page, says: RegExp): Locator =>
  page.locator('.statusbar-item').getByRole('button', { name: says })
/** The text of the editor in front. */
const text = (page: Page) => page.locator('.editor-instance .view-lines:visible').first()
/** Its lines from top to bottom: in the document they stand in the order in which they were drawn. */
const shownText = (page: Page) =>
  text(page).evaluate((lines) =>
    [...lines.querySelectorAll<HTMLElement>('.view-line')]
      .toSorted((one, other) => Number.parseFloat(one.style.top) - Number.parseFloat(other.style.top))
      .map((line) => line.innerText.replaceAll('\u00a0', ' '))
      .join('\n'),
  )

async function connect(page: Page, name: string): Promise<void> {
  await page.goto(`${story.server.address}/dashboard/repositories`)
  await page.getByRole('link', { name: 'Allow access to all repositories' }).click()
  const go = page.getByRole('button', { name: `Continue as ${name}` })
  const list = page.getByRole('region', { name: 'At the git host' })
  await go.or(list).first().waitFor()
  if (await go.isVisible()) await go.click()
  await list.waitFor()
}

async function host(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const address = story.server.address.replace('app.boxyard.localhost', 'localhost')
  const answer = await fetch(`${address}/_git/api/v3${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  expect([path, answer.status < 300]).toEqual([path, true])
  return answer.status === 204 ? {} : ((await answer.json()) as Record<string, unknown>)
}

async function answer(page: Page, said: string): Promise<void> {
  const input = page.locator('.quick-input-widget input:visible')
  await input.fill(said)
  await input.press('Enter')
}

step('two people sign up, and one of them pushes a repository of several thousand commits', async () => {
  ada = story.page
  graceBrowser = await openBrowser()
  grace = graceBrowser.pages()[0]!
  await createAccount(ada, story.server.address, 'ada')
  await createAccount(grace, story.server.address, 'grace')
  await ada.goto(`${story.server.address}/_git/settings/tokens`)
  await ada.getByRole('button', { name: 'Create a token' }).click()
  token = (await ada.locator('code').innerText()).trim()
  const made = await host('POST', '/user/repos', { name: 'todo' })
  client = new GitClient(token)
  await client.init(made['clone_url'] as string)
  await writeLongHistory(client, COMMITS)
  await client.commit('Say what it is', {
    'README.md': '# Todo\n',
    'src/list.ts': 'export const first = 1\nexport const second = 2\nexport const third = 3\n',
  })
  await client.git('push', '--quiet', 'origin', 'main')
})

step('its address imports it when that is asked for, opens the default branch, and says so', async () => {
  await connect(ada, 'ada')
  await ada.goto(`${story.server.address}/github/ada/todo?import=true`)
  await ada.getByText('Imported repository ada/todo').waitFor()
  await ada.waitForURL('**/github/ada/todo/main')
  await statusEntry(ada, /The branch of this box is main/).waitFor()
})

step('WB600: typing on a protected branch makes a branch with what was typed', async () => {
  const protects = await ada.evaluate(async () => {
    const found = await fetch('/api/beta/github/ada/todo')
    const { data } = (await found.json()) as { data: { id: string } }
    const query = `mutation { setBranchProtection(branchId: "${data.id}", protected: true) { id } }`
    const asked = await fetch('/api/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    return asked.text()
  })
  expect(protects).not.toContain('errors')
  await ada.goto(`${story.server.address}/github/ada/todo/main?file=README.md`)
  await statusEntry(ada, /The branch of this box is main/).waitFor()
  await text(ada).click()
  await ada.keyboard.press('Control+End')
  await ada.keyboard.type('Milk')
  await ada.waitForURL(/\/github\/ada\/todo\/ada\//)
  await ada.getByText('Created new branch ada/').waitFor()
  await ada.getByRole('button', { name: 'Learn more' }).waitFor()
  await statusEntry(ada, /The branch of this box is ada\//).waitFor()
  await expect.poll(() => shownText(ada), POLL).toContain('Milk')
  await picture(ada, 'own-branch')
})

step('WB435: the new branch is renamed, and a taken name is refused with a way there', async () => {
  await statusEntry(ada, /The branch of this box is ada\//).click()
  await ada.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Rename this branch' }).click()
  await answer(ada, 'main')
  await ada.getByText('Branch main already exists').waitFor()
  await statusEntry(ada, /The branch of this box is ada\//).click()
  await ada.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Rename this branch' }).click()
  await answer(ada, 'shopping')
  await ada.getByText('Branch was renamed as "shopping"').waitFor()
  await ada.waitForURL('**/github/ada/todo/shopping**')
  await statusEntry(ada, /The branch of this box is shopping/).waitFor()
})

step('WB601: somebody who may only read gets a branch of their own, and pushes it to a fork', async () => {
  await connect(grace, 'grace')
  await grace.goto(`${story.server.address}/github/ada/todo/main?file=src/list.ts`)
  await statusEntry(grace, /The branch of this box is main/).waitFor()
  await grace.getByText('export const second').first().waitFor()
  await text(grace).click()
  await grace.keyboard.press('Control+Home')
  await grace.keyboard.type('// Mine')
  await grace.keyboard.press('Enter')
  await grace.waitForURL(/\/github\/ada\/todo\/grace\//)
  await statusEntry(grace, /The branch of this box is grace\//).waitFor()
  await expect.poll(() => shownText(grace), POLL).toMatch(/^\/\/ Mine\s+export const first/)
  await text(grace).click()
  await grace.keyboard.press('Control+s')
  await grace.getByRole('tab', { name: /^Source Control/ }).click()
  await grace.locator('.scm-view .monaco-list-row').filter({ hasText: 'list.ts' }).waitFor()
  await grace.locator('.scm-view .scm-editor .view-lines').click()
  await grace.keyboard.type('Say whose it is')
  await grace
    .getByRole('button', { name: /Commit, Fork and Push/ })
    .first()
    .click()
  const open = grace.getByRole('button', { name: /Create Pull Request/ }).first()
  await open.waitFor()
  await open.click()
  await answer(grace, 'Say whose it is')
  await answer(grace, '')
  await grace.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Open for review' }).click()
  await statusEntry(grace, /Say whose it is.*, Open/).waitFor()
  const pulls = (await host('GET', '/repos/ada/todo/pulls')) as unknown as { head: { label: string } }[]
  expect(pulls.map(({ head }) => head.label)).toEqual([expect.stringMatching(/^grace:grace\//)])
})

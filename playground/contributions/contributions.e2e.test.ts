import { GitClient } from '@boxyard/git-host/testing'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, expect, vi } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { createDevbox, STATIC } from '../editor/editorPage.ts'
import { createAccount, password } from '../support/createAccount.ts'
import { beginStory, repository } from '../support/story.ts'

// Somebody who may read a repository and not write to it works on it: a branch is made by typing, pushed to a fork, talked about line by line
// in the editor, and brought up to date through a conflict. The tests are steps of one story and build on each other.

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
const dialogButton = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name })

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

/** Opens the input in which commands and files are chosen. Before the editor has its commands its keys mean nothing. */
async function ask(page: Page, keys: string): Promise<Locator> {
  const input = page.locator('.quick-input-widget input:visible')
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

async function command(page: Page, name: string): Promise<void> {
  await (await ask(page, 'F1')).fill(`>${name}`)
  await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: name }).first().click()
}

async function answer(page: Page, said: string): Promise<void> {
  const input = page.locator('.quick-input-widget input:visible')
  await input.fill(said)
  await input.press('Enter')
}

async function openFile(page: Page, name: string): Promise<void> {
  await (await ask(page, 'Control+p')).fill(name)
  await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: name }).first().waitFor()
  await page.keyboard.press('Enter')
  await page
    .getByRole('tab', { name: new RegExp(`^${name}`) })
    .first()
    .waitFor()
}

/** A history as old projects have one, in the form that `git fast-import` reads. */
function longHistory(): string {
  const commits = Array.from({ length: COMMITS }, (_, index) => {
    const message = `Change ${index + 1}`
    const file = `export const change = ${index + 1}\n`
    return [
      'commit refs/heads/main',
      `committer Ada <ada@example.org> ${1_600_000_000 + index * 60} +0000`,
      `data ${message.length}`,
      message,
      `M 100644 inline src/change${index % 50}.ts`,
      `data ${file.length}`,
      file,
    ].join('\n')
  })
  return commits.join('\n')
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
  const importing = spawn('git', ['fast-import', '--quiet'], {
    cwd: client.folder,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  importing.stdin.end(longHistory())
  expect(await once(importing, 'close')).toEqual([0, null])
  await client.git('reset', '--quiet', '--hard', 'main')
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

step('WB613: a comment on a line is shown in the editor at once, and answered there', async () => {
  await ada.goto(`${story.server.address}/dashboard/repositories/github/ada/todo/pulls/1`)
  const file = ada.getByRole('region', { name: 'src/list.ts' })
  await file.getByRole('button', { name: 'Comment on line 1' }).last().click()
  await file.getByLabel('Comment', { exact: true }).fill('Whose exactly?')
  await file.getByRole('button', { name: 'Add to your review' }).click()
  await ada.getByRole('button', { name: 'Ask for changes' }).click()
  const thread = grace.locator('.review-widget').filter({ hasText: 'Whose exactly?' })
  await thread.waitFor()
  await thread.locator('.review-thread-reply-button, .comment-form .monaco-editor').first().click()
  await grace.keyboard.type('Grace’s')
  await thread.getByRole('button', { name: 'Reply', exact: true }).last().click()
  await file.getByText('Grace’s').waitFor()
  await thread.getByText('Grace’s').waitFor()
  await picture(grace, 'line-comment')
})

step('WB614: a comment is begun on a line in the editor, and shown to the others', async () => {
  await text(grace).click()
  await grace.keyboard.press('Control+Home')
  await grace.keyboard.press('ArrowDown')
  await command(grace, 'Comments: Add Comment on Current Selection')
  await grace.keyboard.type('This stays first')
  const begun = grace.locator('.review-widget').filter({ hasText: 'This stays first' })
  await begun.getByRole('button', { name: 'Comment', exact: true }).click()
  await ada.getByRole('region', { name: 'src/list.ts' }).getByText('This stays first').waitFor()
  await picture(grace, 'line-comments')
})

step('WB615: the address of a comment opens its thread', async () => {
  const comments = (await host('GET', '/repos/ada/todo/pulls/1/comments')) as unknown as { id: number; body: string }[]
  const { id } = comments.find(({ body }) => body === 'This stays first')!
  const path = new URL(grace.url()).pathname
  await grace.goto(`${story.server.address}${path}?file=README.md&comment=${id}`)
  await grace.locator('.review-widget').filter({ hasText: 'This stays first' }).waitFor()
})

step(
  'WB433: a conflict with the target is shown as what both sides had and made of it, resolved, and committed',
  async () => {
    await client.commit('Count from zero', {
      'src/list.ts': 'export const first = 0\nexport const second = 2\nexport const third = 3\n',
    })
    await client.git('push', '--quiet', 'origin', 'main')
    await openFile(grace, 'list.ts')
    await text(grace).click()
    await grace.keyboard.press('Control+Home')
    await grace.keyboard.press('ArrowDown')
    await grace.keyboard.press('Control+l')
    await grace.keyboard.type('export const first = 10\n')
    await grace.keyboard.press('Control+s')
    await grace.getByRole('tab', { name: /^Source Control/ }).click()
    await grace.locator('.scm-view .monaco-list-row').filter({ hasText: 'list.ts' }).waitFor()
    await grace.locator('.scm-view .scm-editor .view-lines').click()
    await grace.keyboard.type('Count from ten')
    await command(grace, 'Git: Commit and Push')
    await grace.locator('.scm-view .monaco-list-row').filter({ hasText: 'list.ts' }).waitFor({ state: 'detached' })
    await command(grace, 'Git: Update from the Target Branch')
    await dialogButton(grace, 'Pull and resolve').click()
    await grace.locator('.scm-view .monaco-list-row[aria-label*="Conflict"]').first().waitFor()
    await expect
      .poll(() => shownText(grace), POLL)
      .toMatch(/<<<<<<<[^]*= 10[^]*\|\|\|\|\|\|\|[^]*= 1\n?[^]*=======[^]*= 0[^]*>>>>>>>/)
    const accept = grace.locator('.codelens-decoration a').filter({ hasText: 'Accept Incoming Change' })
    await accept.first().waitFor()
    await picture(grace, 'conflict')
    await accept.first().click()
    await expect.poll(() => shownText(grace), POLL).not.toContain('<<<<<<<')
    await grace.locator('.scm-view .scm-editor .view-lines').click()
    await grace.keyboard.type('Take both')
    await command(grace, 'Git: Commit and Push')
    await grace.locator('.scm-view .monaco-list-row').filter({ hasText: 'list.ts' }).waitFor({ state: 'detached' })
    const [pull] = (await host('GET', '/repos/ada/todo/pulls')) as unknown as { head: { sha: string } }[]
    const { sha } = pull!.head
    const made = (await host('GET', `/repos/grace/todo/contents/src/list.ts?ref=${sha}`)) as { content: string }
    expect(Buffer.from(made.content, 'base64').toString()).toContain('export const first = 0')
    const commit = (await host('GET', `/repos/grace/todo/git/commits/${sha}`)) as { parents: object[] }
    expect(commit.parents).toHaveLength(2)
  },
)

step('WB620: the timeline shows the commits of a file, and what one of them changed', async () => {
  await openFile(grace, 'list.ts')
  await grace.getByRole('tab', { name: /^Explorer/ }).click()
  const timeline = grace.getByRole('button', { name: /^Timeline Section/ })
  if ((await timeline.getAttribute('aria-expanded')) !== 'true') await timeline.click()
  await grace.locator('.timeline-tree-view .monaco-list-row').filter({ hasText: 'Say whose it is' }).first().click()
  await grace.locator('.monaco-diff-editor .editor.modified .view-lines').filter({ hasText: 'Mine' }).waitFor()
  await picture(grace, 'file-history')
})

step('signed out, typing asks to sign in and goes on with what was typed', async () => {
  const stranger = await openBrowser()
  try {
    const page = stranger.pages()[0]!
    await page.goto(`${story.server.address}/github/ada/todo/main?file=README.md`)
    await statusEntry(page, /The branch of this box is main/).waitFor()
    await text(page).click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('Eggs')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /sign in with/i }).waitFor()
    const opened = stranger.waitForEvent('page')
    await dialog.getByRole('button', { name: /sign in with/i }).click()
    const popup = await opened
    await popup.getByLabel(/User name/).fill('grace')
    await popup.getByLabel(/^Password/).fill(password)
    await popup.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(/\/github\/ada\/todo\/grace\//)
    await expect.poll(() => shownText(page), POLL).toContain('Eggs')
  } finally {
    await stranger.close()
  }
})

step('WB610: comments on the text of a devbox are begun, resolved and opened by their address', async () => {
  const address = await createDevbox(ada, story.server.address, STATIC, 'index.html')
  await openFile(ada, 'index.html')
  await text(ada).click()
  await ada.keyboard.press('Control+Home')
  await command(ada, 'Comments: Add Comment on Current Selection')
  await ada.keyboard.type('Which doctype?')
  const thread = ada.locator('.review-widget').filter({ hasText: 'Which doctype?' })
  await thread.getByRole('button', { name: 'Comment', exact: true }).click()
  await thread.getByRole('button', { name: 'Resolve' }).click()
  await thread.getByRole('button', { name: 'Open again' }).waitFor()
  await picture(ada, 'devbox-comment')
  const id = await ada.evaluate(async (sandbox) => {
    const query = `{ sandbox(sandboxId: "${sandbox}") { comments { id isResolved } } }`
    const asked = await fetch('/api/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    const { data } = (await asked.json()) as { data: { sandbox: { comments: { id: string; isResolved: boolean }[] } } }
    return data.sandbox.comments.find(({ isResolved }) => isResolved)?.id
  }, new URL(address).pathname.split('/').at(-1)!)
  expect(id).toBeDefined()
  await ada.goto(`${address}?comment=${id}`)
  await ada.locator('.review-widget').filter({ hasText: 'Which doctype?' }).waitFor()
})

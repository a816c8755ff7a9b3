import { GitClient } from '@boxyard/git-host/testing'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it as test } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { freePort, startServer } from '../support/server.ts'
import type { RunningServer } from '../support/server.ts'

// A repository on its way: imported, opened on a machine, changed on a branch, reviewed by a second person and merged, on a server
// without any other git host. The tests are steps of one story and build on each other.

const run = promisify(execFile)
const repository = resolve(import.meta.dirname, '../..')
const COMMITS = 300

let folder: string
let server: RunningServer
let ada: BrowserContext
let grace: BrowserContext
let author: Page
let reviewer: Page
let token: string
let client: GitClient

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'boxyard-pull-requests-'))
  const checkout = process.env['E2E_CHECKOUT'] ?? join(folder, 'clone')
  if (!process.env['E2E_CHECKOUT']) await run('git', ['clone', '--quiet', repository, checkout])
  server = await startServer(checkout, { BOXYARD_HOME: join(folder, 'home'), PORT: String(await freePort()) })
  ada = await openBrowser()
  grace = await openBrowser()
  author = ada.pages()[0]!
  reviewer = grace.pages()[0]!
})

afterAll(async () => {
  await ada?.close()
  await grace?.close()
  await server?.end('SIGTERM').catch(() => undefined)
  client?.remove()
  await rm(folder, { recursive: true, force: true })
})

/** One step of the story. After a step that failed the rest says nothing. */
let brokenAt: string | undefined
function it(name: string, step: () => Promise<void>): void {
  test(name, async () => {
    if (brokenAt !== undefined) throw new Error(`not tried, because this step failed: ${brokenAt}`)
    brokenAt = name
    try {
      await step()
    } catch (error) {
      await author?.screenshot({ path: join(repository, 'test-results', 'author.png') }).catch(() => undefined)
      await reviewer?.screenshot({ path: join(repository, 'test-results', 'reviewer.png') }).catch(() => undefined)
      throw new Error(`${name}\n${server?.output().slice(-4000)}`, { cause: error })
    }
    brokenAt = undefined
  })
}

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
  await page.getByRole('link', { name: 'Allow access to repositories' }).click()
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
  for (let n = 1; n <= COMMITS; n += 1)
    await client.git('commit', '--quiet', '--allow-empty', '--message', `Change ${n}`)
  await client.commit('Say what it is', { 'README.md': '# Todo\n', 'src/list.ts': 'export const list = []\n' })
  await client.git('push', '--quiet', 'origin', 'main')
})

it('asks for access to repositories when it is needed, and imports one', async () => {
  await author.goto(`${server.address}/dashboard/recent`)
  await connect(author, 'ada')
  await author.getByRole('button', { name: 'Import ada/todo' }).click()
  await author.waitForURL('**/devbox/**')
})

it('opens the default branch in the editor on a machine of its own', async () => {
  await author.getByRole('treeitem', { name: 'README.md', exact: true }).waitFor()
})

it('makes a branch, and shows a pull request to both people', async () => {
  await author.goto(`${server.address}/dashboard/repositories`)
  await author.getByLabel('New branch').fill('better-list')
  await author.getByRole('button', { name: 'Create branch' }).click()
  await author.getByRole('list', { name: 'Branches of ada/todo' }).getByRole('link', { name: 'better-list' }).waitFor()
  await client.git('checkout', '--quiet', '-b', 'better-list')
  await client.commit('Hold texts', { 'src/list.ts': "export const list: string[] = ['milk']\n" })
  await client.git('push', '--quiet', 'origin', 'better-list')
  await host('POST', '/repos/ada/todo/pulls', {
    title: 'A better list',
    head: 'better-list',
    base: 'main',
    body: 'It holds texts.',
  })
  await connectReviewer()
  for (const page of [author, reviewer]) {
    await page.goto(pullPage())
    await page.getByRole('heading', { name: /A better list/ }).waitFor()
    await page.getByRole('region', { name: 'src/list.ts' }).getByText("['milk']").waitFor()
  }
})

async function connectReviewer(): Promise<void> {
  await reviewer.goto(`${server.address}/dashboard/recent`)
  await connect(reviewer, 'grace')
}

it('shows the second person’s review with a line comment in the first one’s window, and the answer in theirs', async () => {
  const file = reviewer.getByRole('region', { name: 'src/list.ts' })
  await file.getByRole('button', { name: 'Comment on line 1' }).last().click()
  await file.getByLabel('Comment', { exact: true }).fill('Why milk?')
  await file.getByRole('button', { name: 'Add to your review' }).click()
  await reviewer.getByRole('region', { name: 'Your review' }).getByRole('textbox').fill('Nearly')
  await reviewer.getByRole('button', { name: 'Ask for changes' }).click()

  const mine = author.getByRole('region', { name: 'src/list.ts' })
  await mine.getByText('Why milk?').waitFor()
  await author.getByText('asked for changes: Nearly').waitFor()
  await mine.getByRole('button', { name: 'Reply' }).click()
  await mine.getByLabel('Reply', { exact: true }).fill('We are out of it')
  await mine.getByRole('button', { name: 'Send reply' }).click()
  await file.getByText('We are out of it').waitFor()
})

it('merges by squash, and both windows say so', async () => {
  await reviewer.getByRole('button', { name: 'Approve' }).click()
  await author.getByText('grace approved').waitFor()
  await author.getByRole('button', { name: 'Squash and merge' }).click()
  for (const page of [author, reviewer]) await page.getByText('Merged', { exact: true }).waitFor()
  await client.git('fetch', '--quiet', 'origin')
  // One parent: the commits of the branch became one.
  expect(await client.git('log', '-1', '--format=%s|%P', 'origin/main')).toMatch(
    /^A better list \(#1\)\|[0-9a-f]{40}\n$/,
  )
  expect(await client.git('show', 'origin/main:src/list.ts')).toContain('milk')
})

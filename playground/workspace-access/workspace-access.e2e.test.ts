import { GitClient } from '@boxyard/git-host/testing'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { Client } from 'pg'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { createAccount } from '../support/createAccount.ts'
import { beginStory, repository } from '../support/story.ts'

// Somebody works on a repository at the git host that a workspace has which they are not in: they ask to be let in, or read it meanwhile. The
// tests are steps of one story and build on each other.

const { story, step } = beginStory('workspace-access')
let elsewhere: BrowserContext
let third: BrowserContext
let grace: Page
/** Asks the git host as ada. */
let host: (method: 'POST' | 'PUT', path: string, body: object) => Promise<Record<string, unknown>>
let team: string
let client: GitClient
afterAll(async () => {
  await elsewhere?.close()
  await third?.close()
  client?.remove()
})

/** Takes a picture of a page in the light theme. */
async function inLight(page: Page, heading: string, name: string): Promise<void> {
  const reloadIn = async (theme: string) => {
    await page.evaluate((chosen) => localStorage.setItem('boxyard.theme', chosen), theme)
    await page.reload()
    await page.locator(`html[data-theme=${theme}]`).waitFor()
    await page.getByRole('heading', { name: heading }).waitFor()
  }
  await reloadIn('light')
  await picture(page, name)
  await reloadIn('dark')
}

const picture = (page: Page, name: string) => page.screenshot({ path: join(repository, 'test-results', `${name}.png`) })

async function connect(page: Page, name: string): Promise<void> {
  await page.goto(`${story.server.address}/dashboard/repositories`)
  await page.getByRole('link', { name: 'Allow access to all repositories' }).click()
  const go = page.getByRole('button', { name: `Continue as ${name}` })
  const list = page.getByRole('region', { name: 'At the git host' })
  await go.or(list).first().waitFor()
  if (await go.isVisible()) await go.click()
  await list.waitFor()
}

/** Calls the API as the person of a page. */
async function call(page: Page, path: string, body: object): Promise<Record<string, unknown>> {
  const answer = await page.evaluate(
    async ([to, sent]) => {
      const response = await fetch(to, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(sent),
      })
      return (await response.json()) as { data: Record<string, unknown>; errors?: object[] }
    },
    [path, body] as const,
  )
  expect(answer).toMatchObject({ data: expect.anything() as unknown })
  expect(answer.errors).toBeUndefined()
  return answer.data
}

step('a repository is in a workspace, and somebody outside of it may write to it at the git host', async () => {
  const { page, server } = story
  await createAccount(page, server.address, 'ada')
  elsewhere = await openBrowser()
  grace = elsewhere.pages()[0]!
  await createAccount(grace, server.address, 'grace')
  await page.goto(`${server.address}/_git/settings/tokens`)
  await page.getByRole('button', { name: 'Create a token' }).click()
  const token = (await page.locator('code').innerText()).trim()
  host = async (method: 'POST' | 'PUT', path: string, body: object) => {
    const address = server.address.replace('app.boxyard.localhost', 'localhost')
    const answer = await fetch(`${address}/_git/api/v3${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect([path, answer.ok]).toEqual([path, true])
    return answer.status === 204 ? {} : ((await answer.json()) as Record<string, unknown>)
  }
  const made = await host('POST', '/user/repos', { name: 'todo' })
  client = new GitClient(token)
  await client.init(made['clone_url'] as string)
  await client.commit('Say what it is', { 'README.md': '# Todo\n' })
  await client.git('push', '--quiet', 'origin', 'main')
  await host('PUT', '/repos/ada/todo/collaborators/grace', { permission: 'push' })
  await connect(page, 'ada')
  await connect(grace, 'grace')
  const { createTeam } = await call(page, '/api/graphql', { query: 'mutation { createTeam(name: "Makers") { id } }' })
  team = (createTeam as { id: string }).id
  await call(page, '/api/beta/import/github/ada/todo', { team_id: team })
})

step('they are told which workspace has it, and ask to be let in', async () => {
  await grace.goto(`${story.server.address}/github/ada/todo/main`)
  await grace.getByRole('heading', { name: 'Request workspace access' }).waitFor()
  await grace.getByText('Makers').waitFor()
  await picture(grace, 'request-access')
  await inLight(grace, 'Request workspace access', 'request-access-light')
  await grace.getByRole('button', { name: 'Send request' }).click()
  await grace.getByText('Your request has been succesfully sent to the workspace admin').waitFor()
  await picture(grace, 'request-access-sent')
})

step('meanwhile they read it outside of the workspace', async () => {
  await grace.getByRole('link', { name: 'Open repository (read-only)' }).click()
  await grace.waitForURL('**/github/ada/todo/main**')
  await grace
    .locator('.statusbar-item')
    .getByRole('button', { name: /The branch of this box is main/ })
    .waitFor()
  await grace.getByRole('treeitem', { name: 'README.md', exact: true }).waitFor()
})

step('once they are let in the same address opens the branch of the workspace', async () => {
  const { page, server } = story
  const accept = `mutation { inviteToTeam(teamId: "${team}", username: "grace", authorization: WRITE) { id } }`
  await call(page, '/api/graphql', { query: accept })
  await call(grace, '/api/graphql', { query: `mutation { acceptTeamInvitation(teamId: "${team}") { id } }` })
  await grace.goto(`${server.address}/github/ada/todo/main`)
  await grace
    .locator('.statusbar-item')
    .getByRole('button', { name: /The branch of this box is main/ })
    .waitFor()
  const found = await grace.evaluate(async () => (await fetch('/api/beta/github/ada/todo/main')).json() as unknown)
  expect(found).toMatchObject({ data: { workspace_id: team, authorization: 'write' } })
})

step('whoever has an address of a domain that the workspace has proven joins it from the page', async () => {
  const { folder, server } = story
  third = await openBrowser()
  const alan = third.pages()[0]!
  await createAccount(alan, server.address, 'alan')
  await host('PUT', '/repos/ada/todo/collaborators/alan', { permission: 'push' })
  await connect(alan, 'alan')
  // The proof is a record of the DNS, which is not there for names like these.
  const database = new Client({
    host: join(folder, 'home', 'postgres', 'socket'),
    user: 'boxyard',
    database: 'boxyard',
  })
  await database.connect()
  await database.query(
    "insert into sso_domains (id, team_id, domain, proof, verified_at) values ($1, $2, 'example.org', 'proof', now())",
    [randomUUID(), team],
  )
  await database.end()
  await alan.goto(`${server.address}/github/ada/todo/main`)
  await alan.getByRole('heading', { name: 'Permission denied' }).waitFor()
  await alan.getByText('Makers').waitFor()
  await picture(alan, 'join-workspace')
  await inLight(alan, 'Permission denied', 'join-workspace-light')
  await alan.getByRole('button', { name: 'Join workspace' }).click()
  await branchEntry(alan, /The branch of this box is main/).waitFor()
  const found = await alan.evaluate(async () => (await fetch('/api/beta/github/ada/todo/main')).json() as unknown)
  expect(found).toMatchObject({ data: { workspace_id: team } })
})

const branchEntry = (page: Page, says: RegExp) => page.locator('.statusbar-item').getByRole('button', { name: says })

async function chooseInMenu(page: Page, label: string): Promise<void> {
  const entry = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: label }).first()
  // Until the editor has its commands a click on its status bar means nothing.
  for (;;) {
    await branchEntry(page, /The branch of this box is/).click()
    const isThere = await entry.waitFor({ timeout: 10_000 }).then(
      () => true,
      () => false,
    )
    if (isThere) return entry.click()
  }
}

step('an administrator protects a branch in its menu, ends that, and removes the branch', async () => {
  const { page, server } = story
  await page.goto(`${server.address}/github/ada/todo/main?create=true&workspaceId=${team}`)
  await page.waitForURL((url) => /\/github\/ada\/todo\/(?!main)./.test(url.pathname))
  const path = new URL(page.url()).pathname
  const isProtected = () =>
    page.evaluate(
      async (at) =>
        ((await (await fetch(`/api/beta${at}`)).json()) as { data: { protected_branch: boolean } }).data
          .protected_branch,
      path,
    )
  await chooseInMenu(page, 'Protect this branch')
  await expect.poll(isProtected, { timeout: 60_000 }).toBe(true)
  await chooseInMenu(page, 'End the protection of this branch')
  await expect.poll(isProtected, { timeout: 60_000 }).toBe(false)
  await chooseInMenu(page, 'Remove this branch')
  await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Remove ' }).first().click()
  await page.waitForURL('**/github/ada/todo/main**')
  const gone = await page.evaluate(async (at) => (await fetch(`/api/beta${at}`)).status, path)
  expect(gone).toBe(404)
})

step('a devbox becomes a repository when its address asks for that', async () => {
  const { page, server } = story
  const { id } = await call(page, '/api/v1/sandboxes/universal/fork', { v2: true, title: 'My tool' })
  await page.goto(`${server.address}/devbox/${String(id)}?createRepo=true`)
  const name = page.locator('.quick-input-widget input:visible')
  await name.waitFor()
  await expect.poll(() => name.inputValue()).toBe('my-tool')
  await picture(page, 'create-repository')
  await name.press('Enter')
  await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Private' }).first().click()
  await page.waitForURL('**/github/ada/my-tool/main**')
})

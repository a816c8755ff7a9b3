import { GitClient } from '@boxyard/git-host/testing'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { createAccount } from '../support/createAccount.ts'
import { beginStory, repository } from '../support/story.ts'

// Somebody works on a repository at the git host that a workspace has which they are not in: they ask to be let in, or read it meanwhile. The
// tests are steps of one story and build on each other.

const { story, step } = beginStory('workspace-access')
let elsewhere: BrowserContext
let grace: Page
let team: string
let client: GitClient
afterAll(async () => {
  await elsewhere?.close()
  client?.remove()
})

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
  const host = async (method: string, path: string, body: object) => {
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

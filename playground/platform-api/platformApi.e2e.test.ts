import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFile } from 'node:fs/promises'
import { once } from 'node:events'
import { join } from 'node:path'
import lz from 'lz-string'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { createAccount } from '../support/createAccount.ts'
import { beginStory, repository } from '../support/story.ts'

// An example of another site becomes a sandbox, is exported and converted; then the pages about the API and the profile.

const { story, step } = beginStory('platform-api')
const picture = (name: string) =>
  story.page.screenshot({ path: join(repository, 'test-results', `platform-api-${name}.png`) })
const tile = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const menu = async (page: Page, name: string, item: string) => {
  await tile(page, name)
    .getByRole('button', { name: `More about ${name}` })
    .click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

step('opens an example of another site after asking', async () => {
  const { page, server } = story
  await createAccount(page, server.address, 'ada')
  const files = {
    'package.json': { content: { name: 'shown in docs' } },
    'index.html': { content: '<h1>From the docs</h1>' },
  }
  const parameters = lz.compressToBase64(JSON.stringify({ files, template: 'static' }))
  const form = `<form method="post" action="${server.address}/api/v1/sandboxes/define">
    <input type="hidden" name="parameters" value="${parameters}"><input type="hidden" name="query" value="file=/index.html">
    <button>Try it</button></form>`
  const docs = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(form)
  }).listen(0, '127.0.0.1')
  await once(docs, 'listening')
  try {
    await page.goto(`http://127.0.0.1:${(docs.address() as AddressInfo).port}/`)
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.getByRole('heading', { name: 'Open this project?' }).waitFor()
    await picture('define')
    await page.getByRole('button', { name: 'Open it' }).click()
    await page.waitForURL('**/sandbox/*')
    expect(new URL(page.url()).searchParams.get('file')).toBe('index.html')
  } finally {
    docs.close()
    docs.closeAllConnections()
  }
})

async function exported(): Promise<void> {
  const { page, server } = story
  await page.goto(`${server.address}/dashboard/recent`)
  await tile(page, 'shown in docs').waitFor()
  const downloading = page.waitForEvent('download')
  await menu(page, 'shown in docs', 'Export as zip')
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^shown-in-docs-\w{6}\.zip$/)
  const archive = await readFile(await download.path())
  expect([archive.subarray(0, 2).toString(), archive.includes('index.html')]).toEqual(['PK', true])
}

step('exports it', exported)

step('gives it a machine', async () => {
  const { page } = story
  await menu(page, 'shown in docs', 'Convert to devbox')
  await picture('convert')
  await page.getByRole('dialog').getByRole('button', { name: 'Convert', exact: true }).click()
  await page.waitForURL('**/devbox/*')
})

step('exports it from its machine', exported)

step('asks the API in the explorer', async () => {
  const { page, server } = story
  await page.goto(`${server.address}/dashboard/recent`)
  await page.getByRole('button', { name: 'Account of ada' }).click()
  await page.getByRole('menuitem', { name: 'API', exact: true }).click()
  // Both editors are loaded after the page; a click before that asks nothing.
  await page.locator('.graphiql-query-editor .CodeMirror', { hasText: 'username' }).waitFor()
  await page.locator('.result-window .CodeMirror').waitFor()
  await page.getByRole('button', { name: /Execute query/ }).click()
  await page.locator('.result-window', { hasText: '"username"' }).waitFor()
  await picture('explorer')
  await page.getByRole('link', { name: 'REST', exact: true }).click()
  await page.getByLabel('Find a call').fill('define')
  await page.getByText('/api/v1/sandboxes/define').first().click()
  await picture('rest')
})

step('shows a profile', async () => {
  const { page, server } = story
  await page.goto(`${server.address}/u/ada`)
  await page.getByRole('heading', { name: 'ada', level: 1 }).waitFor()
  await page.getByText('Nothing public yet.').waitFor()
  await page.getByRole('banner').getByRole('link', { name: 'Your dashboard' }).waitFor()
  await picture('profile')
})

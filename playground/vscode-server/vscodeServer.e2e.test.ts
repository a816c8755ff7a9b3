import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { createDevbox, STATIC } from '../editor/editorPage.ts'
import { createAccount } from '../support/createAccount.ts'
import { beginStory, repository } from '../support/story.ts'

// The VS Code server of a devbox: whether it is connected. The server itself comes from the package registry.

const { story, step } = beginStory('vscode-server')
const LONG = { timeout: 60_000 }

const picture = (name: string, page: Page) =>
  page.screenshot({ path: join(repository, 'test-results', `vscode-server-${name}.png`) })
const status = (page: Page, text: string) => page.locator('.statusbar-item').filter({ hasText: text }).first()

step('WB850: a button has the VS Code server of the box, and the window says where extensions run', async () => {
  const { page, server } = story
  await createAccount(page, server.address, 'ada')
  await createDevbox(page, server.address, STATIC, 'index.html')
  await status(page, 'Devbox (Web)').waitFor(LONG)
  await status(page, 'Enable VSCode Extensions').waitFor(LONG)
  await picture('web', page)
  const loaded = page.waitForEvent('load', LONG)
  await status(page, 'Enable VSCode Extensions').click()
  await loaded
  await page.getByRole('treeitem', { name: 'index.html', exact: true }).waitFor(LONG)
  await status(page, 'Devbox').waitFor(LONG)
  expect(await status(page, '(Web)').count()).toBe(0)
  await picture('connected', page)
})

import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { createAccount } from '../support/createAccount.ts'
import { beginStory, repository } from '../support/story.ts'

// One person's work in order: drafts, folders, privacy, templates, the trash, a workspace and its settings.

const { story, step } = beginStory('dashboard')

const place = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name, exact: true })
const tile = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const menu = async (page: Page, name: string, item: string) => {
  await tile(page, name)
    .getByRole('button', { name: `More about ${name}` })
    .click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}
const picture = (name: string) =>
  story.page.screenshot({ path: join(repository, 'test-results', `dashboard-${name}.png`) })

step('makes a devbox, which is a draft', async () => {
  const { page, server } = story
  await createAccount(page, server.address, 'ada')
  await page
    .getByRole('region', { name: 'Start from a template' })
    .getByRole('link', { name: /Static/ })
    .click()
  await page.getByRole('option', { name: /Static/, selected: true }).waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Nothing here yet').waitFor()
  await picture('empty')
  await page
    .getByRole('button', { name: /create/i })
    .first()
    .click()
  await page.getByRole('option', { name: /Static/ }).click()
  await page.getByLabel('Name (optional)').fill('Home page')
  await page.getByRole('button', { name: /^Create from/ }).click()
  await page.waitForURL('**/devbox/*')
  await page.locator('header').getByText('Running', { exact: true }).waitFor()
  await page.goto(`${server.address}/dashboard/recent`)
  await tile(page, 'Home page').waitFor()
  await place(page, 'Drafts').click()
  await tile(page, 'Home page').waitFor()
  await picture('drafts')
})

step('shows an administrator what runs, and puts it to sleep', async () => {
  const { page } = story
  await page.getByRole('button', { name: 'Account of ada' }).click()
  await page.getByRole('menuitem', { name: 'Machines' }).click()
  const row = page.getByRole('row', { name: /Home page/ })
  await row.getByText('Running').waitFor()
  await picture('machines')
  await row.getByRole('button', { name: 'Put Home page to sleep' }).click()
  await row.getByText('Asleep').waitFor()
})

step('files it in a folder', async () => {
  const { page } = story
  await place(page, 'All sandboxes').click()
  await page.getByText('Nothing in here yet').waitFor()
  await page.getByRole('button', { name: 'New folder' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Sites')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('list', { name: 'Folders' }).getByRole('link', { name: 'Sites' }).waitFor()
  await place(page, 'Drafts').click()
  await menu(page, 'Home page', 'Move')
  await page.getByRole('option', { name: 'Sites' }).click()
  await page.getByRole('button', { name: 'Move here' }).click()
  await page.getByText('No drafts').waitFor()
  await place(page, 'All sandboxes').click()
  await page.getByRole('list', { name: 'Folders' }).getByRole('link', { name: 'Sites' }).click()
  await tile(page, 'Home page').waitFor()
  await picture('folder')
})

step('changes its name, who sees it, freezes it and makes it a template', async () => {
  const { page } = story
  await menu(page, 'Home page', 'Rename')
  await page.getByLabel('Name', { exact: true }).fill('Front page')
  await page.getByRole('button', { name: 'Rename', exact: true }).click()
  await tile(page, 'Front page').waitFor()
  await menu(page, 'Front page', 'Who can see it')
  await page.getByRole('radio', { name: /^Public/ }).check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await tile(page, 'Front page').getByRole('img', { name: 'Public' }).waitFor()
  await menu(page, 'Front page', 'Freeze')
  await tile(page, 'Front page').getByRole('img', { name: 'Frozen' }).waitFor()
  await menu(page, 'Front page', 'Make a template')
  await tile(page, 'Front page').getByText('Template', { exact: true }).waitFor()
  await place(page, 'Templates').click()
  await tile(page, 'Front page').waitFor()
})

step('deletes it, restores it from the trash, and deletes it for ever', async () => {
  const { page } = story
  await menu(page, 'Front page', 'Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('No templates of your own').waitFor()
  await place(page, 'Recently deleted').click()
  await menu(page, 'Front page', 'Restore')
  await page.getByText('The trash is empty').waitFor()
  await place(page, 'Drafts').click()
  await tile(page, 'Front page').waitFor()
  await tile(page, 'Front page').hover()
  await page.getByRole('checkbox', { name: 'Select Front page' }).click()
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('No drafts').waitFor()
  await place(page, 'Recently deleted').click()
  await menu(page, 'Front page', 'Delete for ever')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete for ever' }).click()
  await page.getByText('The trash is empty').waitFor()
})

step('makes a workspace, which a second person joins by its link and sees in it what they may', async () => {
  const { page, server } = story
  await page.getByRole('button', { name: /^Workspace:/ }).click()
  await page.getByRole('menuitem', { name: 'New workspace' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Analytical Engines')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.waitForURL('**/t/overview**')
  await page.getByRole('button', { name: 'Workspace: Analytical Engines' }).waitFor()
  await page.getByLabel('Description').fill('Engines that compute')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved').first().waitFor()
  await story.browser.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.address })
  await page.getByRole('button', { name: 'Copy invitation link' }).click()
  await page.getByText('Link copied').first().waitFor()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toMatch(/\/invite\/.+/)
  await picture('workspace')

  await page.getByRole('link', { name: 'Permissions' }).click()
  await page.getByLabel('Role', { exact: true }).click()
  await page.getByRole('option', { name: 'Viewer' }).click()
  await page.getByText('Saved').first().waitFor()
  await page.getByLabel('Sleep without use').click()
  await page.getByRole('option', { name: 'after 1 hour' }).click()
  await page.reload()
  await page.getByLabel('Sleep without use').getByText('after 1 hour').waitFor()
  await picture('permissions')
})

step('shows the person’s own settings and remembers what they are told about', async () => {
  const { page, server } = story
  await page.goto(`${server.address}/dashboard/settings`)
  const news = page.getByRole('checkbox', { name: 'E-mail: news about this server' })
  const before = await news.isChecked()
  await news.click()
  await expect.poll(() => news.isChecked(), { timeout: 30_000 }).toBe(!before)
  await page.reload()
  await expect.poll(() => news.isChecked(), { timeout: 30_000 }).toBe(!before)
  await picture('settings')
})

import { expect } from 'vitest'
import { createAccount } from '../support/createAccount.ts'
import { beginStory } from '../support/story.ts'

// A sandbox without a machine becomes a repository, from the address that asks for it.

const { story, step } = beginStory('sandbox-repository')
let id: string

step('makes a sandbox in the browser', async () => {
  const { page, server } = story
  await createAccount(page, server.address, 'ada')
  await page.goto(`${server.address}/dashboard/recent?create=true`)
  await page.getByRole('option', { name: /Static HTML/ }).click()
  await page.getByLabel('Runs').click()
  await page.getByRole('option', { name: 'In your browser' }).click()
  await page.getByRole('button', { name: /^Create from/ }).click()
  await page.waitForURL('**/sandbox/*')
  await page.getByRole('treeitem', { name: 'index.html', exact: true }).waitFor()
  id = new URL(page.url()).pathname.split('/').at(-1)!
})

step('RP770: asks for the name of the repository, for access to the git host, and makes it', async () => {
  const { page, server } = story
  // A devbox has the same address, and a sandbox is shown under its own.
  await page.goto(`${server.address}/devbox/${id}?createRepo=true`)
  const dialog = page.getByRole('dialog', { name: 'New repository' })
  await dialog.getByLabel('Name').fill('a-page')
  await dialog.getByRole('button', { name: 'Create repository' }).click()
  await dialog.getByRole('alert').getByRole('link', { name: 'Review GitHub permissions' }).click()
  const go = page.getByRole('button', { name: 'Continue as ada' })
  await go.or(dialog).first().waitFor()
  if (await go.isVisible()) await go.click()
  await dialog.getByLabel('Name').fill('a-page')
  await dialog.getByRole('button', { name: 'Create repository' }).click()
  await page.getByText('The repository ada/a-page has the files of this sandbox').waitFor()
  await dialog.waitFor({ state: 'detached' })

  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('button', { name: 'Show repository' }).click(),
  ])
  await opened.getByText('index.html').first().waitFor()
  expect(new URL(opened.url()).pathname).toBe('/_git/ada/a-page')
  await opened.close()
})

step('asks no more, now that it has one', async () => {
  const { page, server } = story
  await page.goto(`${server.address}/sandbox/${id}?createRepo=true`)
  await page.getByRole('treeitem', { name: 'index.html', exact: true }).waitFor()
  expect(await page.getByRole('dialog', { name: 'New repository' }).count()).toBe(0)
})

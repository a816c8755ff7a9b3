import { createAccount } from '../support/createAccount.ts'
import { PREVIEW_FRAME } from '../support/previewFrame.ts'
import { beginStory } from '../support/story.ts'
import { languageSteps } from './languageSteps.ts'

const begun = beginStory('sandbox-languages')
const { story, step: it } = begun

it('makes a React sandbox without a machine', async () => {
  const { page, server } = story
  await createAccount(page, server.address, 'ada')
  await page.goto(`${server.address}/dashboard/recent?create=true`)
  await page.getByRole('option', { name: /React \(Vite, TypeScript\)/ }).click()
  await page.getByLabel('Runs').click()
  await page.getByRole('option', { name: 'In your browser' }).click()
  await page.getByRole('button', { name: /^Create from/ }).click()
  await page.waitForURL('**/sandbox/*')
  await page.getByRole('treeitem', { name: 'package.json', exact: true }).waitFor()
  await page.frameLocator(PREVIEW_FRAME).first().getByRole('heading', { name: 'Hello React' }).waitFor()
})

languageSteps('sandbox', begun)

import { createDevbox } from '../editor/editorPage.ts'
import { createAccount } from '../support/createAccount.ts'
import { PREVIEW_FRAME } from '../support/previewFrame.ts'
import { beginStory } from '../support/story.ts'
import { languageSteps } from './languageSteps.ts'

const begun = beginStory('devbox-languages')
const { story, step: it } = begun

it('makes a React devbox', async () => {
  const { page, server } = story
  await createAccount(page, server.address, 'ada')
  await createDevbox(page, server.address, /React \(Vite, TypeScript\)/)
  await page.frameLocator(PREVIEW_FRAME).first().getByRole('heading', { name: 'Hello React' }).waitFor()
})

languageSteps('devbox', begun)

import { join } from 'node:path'
import { expect } from 'vitest'
import { createAccount } from '../support/createAccount.ts'
import { startServer } from '../support/server.ts'
import { beginStory, repository } from '../support/story.ts'
import { STATIC, createDevbox, editorText, openFile, typeAfter } from './editorPage.ts'

// What is typed while the server is away survives the end of the page.

const { story, step } = beginStory('editor-backup')
let devbox: string

/** Everything this browser keeps of the box. */
const kept = () =>
  story.page.evaluate(
    () =>
      new Promise<{ text: string }[]>((resolve, reject) => {
        const opening = indexedDB.open('boxyard-backup', 1)
        opening.addEventListener('error', () => reject(opening.error!))
        opening.addEventListener('success', () => {
          const reading = opening.result.transaction('edits').objectStore('edits').getAll()
          reading.addEventListener('success', () => {
            opening.result.close()
            resolve(reading.result as { text: string }[])
          })
          reading.addEventListener('error', () => reject(reading.error!))
        })
      }),
  )

step('opens a devbox', async () => {
  await createAccount(story.page, story.server.address, 'ada')
  devbox = await createDevbox(story.page, story.server.address, STATIC, 'index.html')
  await openFile(story.page, 'index.html')
  await typeAfter(story.page, '<body>', 'typedbefore')
  await story.page.getByText('Kept, not saved').waitFor()
})

step('WB480: what is typed while the server is away is kept in the browser', async () => {
  await story.server.end('SIGKILL')
  await story.page.keyboard.type(' typedaway')
  await expect.poll(async () => (await kept()).map(({ text }) => text.includes(' typedaway'))).toEqual([true])
})

step('WB480, WB481: a page that crashes meanwhile loses nothing', async () => {
  const session = await story.browser.newCDPSession(story.page)
  const crashed = story.page.waitForEvent('crash')
  session.send('Page.crash').catch(() => undefined)
  await crashed
  await story.page.close()
  const { port } = new URL(story.server.address)
  story.server = await startServer(repository, { BOXYARD_HOME: join(story.folder, 'home'), PORT: port })
  story.page = await story.browser.newPage()
  await story.page.goto(devbox)
  await expect.poll(() => editorText(story.page), { timeout: 120_000 }).toContain('typedbefore typedaway')
  await story.page
    .getByText(/was brought back into index\.html/)
    .first()
    .waitFor()
  await story.page.screenshot({ path: join(repository, 'test-results', 'editor-backup.png') })
})

step('WB480: once the box has it, the browser keeps nothing of it', async () => {
  await expect.poll(kept).toEqual([])
  const address = new URL(devbox)
  address.searchParams.set('file', 'index.html')
  await story.page.goto(address.href)
  await expect.poll(() => editorText(story.page), { timeout: 120_000 }).toContain('typedbefore typedaway')
  expect((await editorText(story.page)).match(/typedaway/g)).toHaveLength(1)
})

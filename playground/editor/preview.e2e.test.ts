import { join } from 'node:path'
import type { Frame, Page } from 'playwright-core'
import { expect } from 'vitest'
import { createAccount } from '../support/createAccount.ts'
import { beginStory, repository } from '../support/story.ts'
import { createDevbox, editorText, openFile, replaceText, typeAfter } from './editorPage.ts'
import { PREVIEW_FRAME } from '../support/previewFrame.ts'

// The pane that shows what a devbox serves.

const { story, step } = beginStory('editor-preview')
const picture = (name: string) =>
  story.page.screenshot({ path: join(repository, 'test-results', `editor-preview-${name}.png`) })

const frameOf = async (page: Page): Promise<Frame> => {
  const element = await page.locator(PREVIEW_FRAME).first().elementHandle()
  const frame = await element?.contentFrame()
  if (!frame) throw new Error('The preview has no frame')
  return frame
}
const path = () => story.page.getByLabel('Path', { exact: true }).inputValue()
const lines = () => story.page.getByRole('log', { name: 'Lines of the console' })

step('shows the page of a devbox beside its code', async () => {
  await createAccount(story.page, story.server.address, 'ada')
  await createDevbox(story.page, story.server.address, /React \(Vite, TypeScript\)/)
  await story.page.frameLocator(PREVIEW_FRAME).getByRole('heading', { name: 'Hello React' }).waitFor()
  await expect.poll(path).toBe('/')
})

step('WB471: its console is beside it, with counts and values that can be looked into', async () => {
  const { page } = story
  const frame = await frameOf(page)
  await frame.evaluate(() => {
    console.log('first', { name: 'Ada', tags: ['a', 'b'], deep: { deeper: true } }, 42)
    console.warn('careful')
    console.error(new Error('not good'))
    for (let times = 0; times < 3; times += 1) console.log('again')
  })
  await page.getByRole('button', { name: /^Console: 1 error,/ }).click()
  await lines().getByText('again').waitFor()
  await lines().getByLabel('3 times').waitFor()
  await lines().getByText('Error: not good').waitFor()
  await lines()
    .getByText(/name: "Ada"/)
    .click()
  await lines().locator('.boxyard-member', { hasText: 'deep:' }).waitFor()
  await picture('console')
  await page.getByRole('button', { name: /^Warnings: 1/ }).click()
  await lines().getByText('careful').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await page.getByText('The page has said nothing yet.').waitFor()
})

step('WB472: what a hostile page says is text, and what is not in the form that was agreed is not shown', async () => {
  const { page } = story
  const frame = await frameOf(page)
  await frame.evaluate(() => {
    const say = (message: unknown) => window.parent.postMessage({ boxyard: 'preview', message }, '*')
    say({ type: 'console', level: 'log', values: [{ kind: 'html', text: 'forged kind' }] })
    say({ type: 'console', level: 'log', values: ['forged value'] })
    say({ type: 'address', path: 'https://elsewhere.example/', canGoBack: false, canGoForward: false })
    console.log('<img src="x" onerror="document.title = \'taken\'">')
  })
  await lines().getByText('<img src="x"').waitFor()
  expect(await lines().innerText()).not.toContain('forged')
  expect(await path()).toBe('/')
  expect(await page.title()).not.toBe('taken')
  await page.getByRole('button', { name: /^Console/ }).click()
})

step('WB470: the address follows the page, goes back and forward, and takes one that is typed', async () => {
  const { page } = story
  const frame = await frameOf(page)
  await frame.evaluate(() => history.pushState({}, '', '/one'))
  await frame.evaluate(() => history.pushState({}, '', '/two?x=1'))
  await expect.poll(path).toBe('/two?x=1')
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await expect.poll(path).toBe('/one')
  await page.getByRole('button', { name: 'Forward', exact: true }).click()
  await expect.poll(path).toBe('/two?x=1')
  await page.getByLabel('Path', { exact: true }).fill('/typed')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await frameOf(page)).url()).toMatch(/\/typed/)
  await expect.poll(path).toBe('/typed')
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await expect.poll(path).toBe('/two?x=1')
  await page.getByRole('button', { name: 'Forward', exact: true }).click()
  await expect.poll(path).toBe('/typed')
  const outside = page.getByRole('link', { name: 'Open the preview in a new tab' })
  expect(new URL((await outside.getAttribute('href'))!).pathname).toBe('/typed')
  await page.getByRole('button', { name: 'Reload the preview' }).click()
  await page.frameLocator(PREVIEW_FRAME).getByRole('heading', { name: 'Hello React' }).waitFor()
})

step(
  'WB473, WB1077: a mistake in the code stands over the page, leads to its place and is in the console',
  async () => {
    const { page } = story
    await openFile(page, 'App.tsx')
    await typeAfter(page, 'Hello React', '</h2>')
    await page.keyboard.press('Control+s')
    const problem = page.getByRole('alert').filter({ hasText: 'The page stopped with an error' })
    await problem.waitFor()
    // Vite has one more to say in the page itself.
    await page.getByRole('button', { name: /^Console: 2 errors,/ }).waitFor()
    await picture('problem')
    await openFile(page, 'styles.css')
    await problem.getByRole('button', { name: /^Open src\/App\.tsx:\d+/ }).click()
    await expect.poll(() => editorText(page)).toContain('Hello React')
    await replaceText(page, 'Hello React</h2>', 'Hello React')
    await page.keyboard.press('Control+s')
    await problem.waitFor({ state: 'detached' })
  },
)

step('WB473: an error while the page runs names the line that was written', async () => {
  const { page } = story
  await page.keyboard.press('Control+Home')
  // In the form that it is saved in.
  await page.keyboard.type('setTimeout(() => thrownLater.now);\n')
  await page.keyboard.press('Control+s')
  const problem = page.getByRole('alert').filter({ hasText: 'thrownLater' })
  await problem.getByRole('button', { name: 'Open src/App.tsx:1', exact: true }).waitFor()
  await problem.getByRole('button', { name: 'Close' }).click()
  await problem.waitFor({ state: 'detached' })
})

step('WB474: it shows the page at the size of a device', async () => {
  const { page } = story
  await page.getByLabel('Size of the page').selectOption('phone')
  await expect.poll(async () => (await frameOf(page)).evaluate(() => window.innerWidth)).toBe(374)
  await picture('phone')
  await page.getByLabel('Size of the page').selectOption('fill')
})

step('WB475: with a second port open the pane leads to it', async () => {
  const { page } = story
  await page.keyboard.press('Control+`')
  await page.locator('.terminal-wrapper.active .xterm').waitFor()
  await page.locator('.xterm-helper-textarea:focus').waitFor({ state: 'attached' })
  await page.keyboard.type("node -e \"require('http').createServer((q, s) => s.end('second')).listen(5300)\"\n")
  await page.getByLabel('Port', { exact: true }).selectOption('5300')
  await page.getByRole('tab', { name: /5300/ }).waitFor()
  await page.frameLocator('iframe[src*="-5300.preview."]').getByText('second').waitFor()
})

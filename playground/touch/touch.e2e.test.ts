import { join } from 'node:path'
import { devices } from 'playwright-core'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { createDevbox, editor, editorText, STATIC } from '../editor/editorPage.ts'
import { openBrowser } from '../support/browser.ts'
import { createAccount } from '../support/createAccount.ts'
import { beginStory, repository } from '../support/story.ts'
import { Finger } from './Finger.ts'

// The editor on a phone, with a finger.

const { story, step } = beginStory('touch')
const POLL = { timeout: 120_000 }
let phone: BrowserContext | undefined
let page: Page
let finger: Finger
afterAll(() => phone?.close())

const picture = (name: string) => page.screenshot({ path: join(repository, 'test-results', `touch-${name}.png`) })
const menuItem = (name: string) => page.getByRole('menuitem', { name, exact: true })
/** A menu takes nothing in its first moments, lest the finger that opened it chooses. */
const choose = (name: string) =>
  expect
    .poll(async () => {
      if (await menuItem(name).isVisible()) await finger.tap(menuItem(name))
      return menuItem(name).count()
    }, POLL)
    .toBe(0)
const explorer = () => page.locator('.activitybar').getByRole('tab', { name: /^Explorer/ })
const firstLine = async () => Math.min(...(await editor(page).locator('.line-numbers').allInnerTexts()).map(Number))

step('a devbox with a long text, and a phone', async () => {
  const { page: desk, server, browser } = story
  await createAccount(desk, server.address, 'ada')
  const devbox = await createDevbox(desk, server.address, STATIC, 'index.html')
  await desk.keyboard.press('Control+`')
  await desk.locator('.xterm-helper-textarea:focus').waitFor({ state: 'attached' })
  await desk.keyboard.type(
    'for n in $(seq 300); do echo "line $n words"; done > long.txt; mkdir many; touch many/{100..160}\n',
  )
  await desk.getByRole('treeitem', { name: 'long.txt', exact: true }).waitFor()
  await desk.getByRole('treeitem', { name: 'many', exact: true }).waitFor()
  phone = await openBrowser(undefined, devices['Pixel 7'])
  const url = server.address.replace('http:', 'https:')
  const cookies = await browser.cookies(url)
  await phone.addCookies(cookies.map(({ name, value }) => ({ name, value, url, secure: true })))
  await phone.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.address })
  page = phone.pages()[0]!
  finger = new Finger(page)
  await page.goto(`${devbox}?file=long.txt`)
  await editor(page).locator('.view-line').first().waitFor()
  await picture('code')
})

/** A step whose picture, when it fails, is of the phone. */
const touch = (title: string, perform: () => Promise<void>) =>
  step(title, () =>
    perform().catch(async (error: unknown) => {
      await picture('phone-broken-step')
      throw error
    }),
  )

touch('WB844: the text scrolls with the finger', async () => {
  await page.locator('[data-first-text]').waitFor({ state: 'detached' })
  expect(await firstLine()).toBe(1)
  await finger.drag(editor(page), { y: -300 })
  await expect.poll(firstLine, POLL).toBeGreaterThan(5)
  // On a busy machine the text rolls on further than one stroke brings it back.
  const back = async () => {
    await finger.drag(editor(page), { y: 500 })
    return firstLine()
  }
  await expect.poll(back, POLL).toBe(1)
})

touch('WB844: a tap sets the caret, and what is typed stands there', async () => {
  await finger.tap(editor(page).locator('.view-line', { hasText: 'line 3 words' }).locator('span span').first())
  await page.waitForFunction(() => document.activeElement?.closest('.editor-instance') !== null)
  await page.keyboard.press('Home')
  await page.keyboard.type('typed ')
  await expect.poll(() => editorText(page), POLL).toContain('typed line 3 words')
})

touch('WB844: two taps select a word, and a long touch offers to copy it and to paste', async () => {
  const word = editor(page).locator('.view-line', { hasText: 'line 5 words' }).locator('span span').first()
  // A page that was too busy takes them for two single ones; a person taps again.
  const selected = page.locator('.editor-instance .selected-text').first()
  const selects = async () => {
    await finger.tapTwice(word)
    return selected.waitFor({ state: 'attached', timeout: 2_000 }).then(
      () => true,
      () => false,
    )
  }
  await expect.poll(selects, POLL).toBe(true)
  await picture('selected')
  await finger.hold(word)
  await menuItem('Copy').waitFor()
  await picture('menu')
  await choose('Copy')
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(['line', 'words', '5']).toContain(copied)
})

touch('WB844: pastes', async () => {
  await page.evaluate(() => navigator.clipboard.writeText('pasted by touch'))
  const line = editor(page).locator('.view-line', { hasText: 'line 7 words' }).locator('span span').first()
  await finger.tap(line)
  await finger.hold(line)
  await menuItem('Paste').waitFor()
  await choose('Paste')
  await expect.poll(() => editorText(page), POLL).toContain('pasted by touch')
})

touch('WB844: the explorer opens folders and scrolls', async () => {
  await finger.tap(explorer())
  const many = page.getByRole('treeitem', { name: 'many', exact: true })
  await many.waitFor()
  await finger.tap(many)
  await page.getByRole('treeitem', { name: '100', exact: true }).waitFor()
  await finger.drag(page.locator('.explorer-folders-view .monaco-list'), { y: -300 })
  await page.getByRole('treeitem', { name: '130', exact: true }).waitFor()
  await picture('explorer')
})

touch('WB883: a long touch of a file offers what can be done with it', async () => {
  await finger.hold(page.getByRole('treeitem', { name: '130', exact: true }))
  await page.getByRole('menuitem', { name: /^Rename/ }).waitFor()
  await picture('explorer-menu')
  await page.keyboard.press('Escape')
  await page.getByRole('menuitem', { name: /^Rename/ }).waitFor({ state: 'detached' })
})

touch('WB883: the terminal scrolls with the finger', async () => {
  await finger.tap(page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: 'Terminal' }))
  const rows = page.locator('.terminal-wrapper.active .xterm-rows')
  await rows.waitFor()
  await page.locator('.terminal-wrapper.active .xterm-helper-textarea').focus()
  await page.locator('.xterm-helper-textarea:focus').waitFor({ state: 'attached' })
  await page.keyboard.type('seq -f "row %g" 500\n')
  await rows.getByText('row 500', { exact: true }).waitFor()
  await finger.drag(page.locator('.terminal-wrapper.active .xterm-screen'), { y: 300 })
  await rows.getByText('row 500', { exact: true }).waitFor({ state: 'detached' })
  await picture('terminal')
})

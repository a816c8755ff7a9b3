import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { createAccount } from '../support/createAccount.ts'
import { beginStory, repository } from '../support/story.ts'
import {
  createDevbox,
  editor,
  editorText,
  openFile,
  runCommand,
  runInTerminal,
  STATIC,
  typeAfter,
} from './editorPage.ts'
import { PREVIEW_FRAME } from '../support/previewFrame.ts'

// What surrounds the code: the view of the box, themes, small windows, other people, and keys that come early.

const { story, step } = beginStory('editor')
/** A dot. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)
/** A menu that has just come takes no click: it may belong to the one that opened it. */
async function chooseInMenu(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('menuitem', { name }).hover()
  await page.keyboard.press('Enter')
}
let devbox: string
let other: BrowserContext | undefined
afterAll(() => other?.close())

const picture = (name: string, page: Page = story.page) =>
  page.screenshot({ path: join(repository, 'test-results', `editor-${name}.png`) })
const box = () => story.page.locator('.boxyard-box')
const background = () =>
  story.page
    .locator('.monaco-workbench')
    .evaluate((node) => getComputedStyle(node).getPropertyValue('--vscode-editor-background'))

step('WB530: a key of a command that comes before the editor has its commands is not lost', async () => {
  const { page, server } = story
  await createAccount(page, server.address, 'ada')
  devbox = await createDevbox(page, server.address, STATIC, 'index.html')
  await page.reload()
  await page.locator('[data-workbench]').waitFor({ state: 'attached' })
  await page.keyboard.press('Control+`')
  await page.locator('.terminal-wrapper.active .xterm').waitFor()
})

step(
  'WB878: the second column has a pane that offers what to open, for keys and pointers, until somebody closes it',
  async () => {
    const { page } = story
    await page.locator('.tab', { hasText: 'New tab' }).click()
    const pane = page.getByRole('group', { name: 'New tab' })
    const port = pane.getByRole('button', { name: /^Port 8080, / })
    await port.waitFor()
    await pane.getByRole('button', { name: /^Show the output of Serve the pages/ }).waitFor()
    await picture('new-tab-dark')
    await port.focus()
    await page.keyboard.press('ArrowDown')
    expect(await pane.locator('button:focus').getAttribute('aria-label')).toMatch(/Serve the pages/)
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.locator('.quick-input-widget input').waitFor()
    await page.keyboard.press('Escape')
    await port.click()
    const tabs = page.locator('.tab')
    await tabs.filter({ hasText: 'Preview 8080' }).and(page.locator('.active')).waitFor()
    await page.reload()
    await tabs.filter({ hasText: 'Preview 8080' }).waitFor()
    await tabs.filter({ hasText: 'New tab' }).click()
    await pane.waitFor()
    await tabs
      .filter({ hasText: 'New tab' })
      .getByRole('button', { name: /^Close/ })
      .click()
    await tabs.filter({ hasText: 'New tab' }).waitFor({ state: 'detached' })
    await page.reload()
    await tabs.filter({ hasText: 'Preview 8080' }).waitFor()
    expect(await tabs.filter({ hasText: 'New tab' }).count()).toBe(0)
  },
)

step('WB500: the view of the box shows how busy the machine is', async () => {
  const { page } = story
  await page
    .locator('.activitybar')
    .getByRole('tab', { name: /^Devbox/ })
    .click()
  await box()
    .getByText(/% of [\d.]+ cores?/)
    .waitFor()
  await box()
    .getByLabel(/^Memory: [\d.]+(?: MiB)? of [\d.]+ GiB/)
    .waitFor()
  await box().getByRole('button', { name: 'Restart the machine' }).waitFor()
})

step('WB501: a secret is kept by its name, shows no value, and is removed', async () => {
  await box().getByRole('button', { name: 'Add a secret' }).click()
  await box().getByLabel('Name', { exact: true }).fill('api_KEY_1')
  await box().getByLabel('Value').fill('hidden value')
  await picture('box-dark')
  await box().getByRole('button', { name: 'Keep the secret' }).click()
  await box().getByText('api_KEY_1').waitFor()
  expect(await box().innerText()).not.toContain('hidden value')
  await box().getByRole('button', { name: 'Remove api_KEY_1' }).click()
  await box().getByText('api_KEY_1').waitFor({ state: 'detached' })
})

step('WB502: who may look at a port is chosen beside it', async () => {
  const { page } = story
  const choice = box().getByLabel('Who may look at port 8080')
  const stored = page.waitForResponse((answer) => answer.url().endsWith('/ports/8080') && answer.ok())
  await choice.selectOption({ label: 'Everybody' })
  await stored
  await expect.poll(() => choice.inputValue()).toBe('public')
})

step('WB870, WB873: a text is indented as .editorconfig says, from when it says so', async () => {
  const { page } = story
  await openFile(page, 'script.js')
  await runInTerminal(page, "printf '[*.js]\\nindent_style = tab\\ntab_width = 7\\n' > .editorconfig")
  await page.locator('.statusbar-item').getByText('Tab Size: 7').waitFor()
  await runInTerminal(page, "printf '[*.js]\\nindent_style = space\\nindent_size = 3\\n' > .editorconfig")
  await page.locator('.statusbar-item').getByText('Spaces: 3').waitFor()
})

step('WB874, WB875, WB877: a text is formatted as the project says when it is saved, in one step of undo', async () => {
  const { page } = story
  await runInTerminal(page, 'echo "singleQuote: true" > .prettierrc')
  const named = '{ \\"editor.defaultFormatter\\": \\"esbenp.prettier-vscode\\" }'
  await runInTerminal(page, `mkdir .vscode && echo "${named}" > .vscode/settings.json`)
  await page.keyboard.press('Control+`')
  await editor(page).locator('.view-lines').click()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('if(typed){\nuse("it")\n}\n')
  await page.keyboard.press('Control+s')
  await expect.poll(() => editorText(page), { timeout: 60_000 }).toContain("if (typed) {\n   use('it');\n}\n")
  await page.keyboard.press('Control+z')
  await expect.poll(() => editorText(page), { timeout: 60_000 }).toMatch(/if\(typed\)\{\n *use\("it"\)\n/)
  await picture('formatted')
})

step(
  'WB876: a text that is not well-formed is saved as it is, and the status bar says why and leads to the place',
  async () => {
    const { page } = story
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('(( ')
    await page.keyboard.press('Control+s')
    const notice = page.locator('.statusbar-item').getByText('Not formatted')
    await notice.waitFor()
    await page.locator('header').getByText('Saved', { exact: true }).waitFor()
    await picture('not-formatted')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('done()')
    await page.keyboard.press('Control+s')
    await notice.waitFor({ state: 'detached' })
    await expect.poll(() => editorText(page), { timeout: 60_000 }).toContain('done();')
    await openFile(page, 'index.html')
  },
)

step('WB520: a theme is looked at before it is chosen, and keeps nothing when it is not', async () => {
  const { page } = story
  const before = await background()
  const list = page.locator('.quick-input-list .monaco-list-row')
  await page.keyboard.press('Control+k')
  await page.keyboard.press('Control+t')
  await page.locator('.quick-input-widget input').fill('Dracula')
  await list.filter({ hasText: 'Dracula' }).first().waitFor()
  await expect.poll(async () => (await background()).toLowerCase()).toBe('#282a36')
  await page.keyboard.press('Escape')
  await expect.poll(background).toBe(before)
  await page.keyboard.press('Control+k')
  await page.keyboard.press('Control+t')
  await page.locator('.quick-input-widget input').fill('GitHub Light High')
  await list.filter({ hasText: 'GitHub Light High Contrast' }).first().waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(background).not.toBe(before)
  await picture('github-light-high-contrast')
  await page.keyboard.press('Control+k')
  await page.keyboard.press('Control+t')
  await page.locator('.quick-input-widget input').fill('Boxyard Light')
  await list.filter({ hasText: 'Boxyard Light' }).first().waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await background()).toLowerCase()).toBe('#ffffff')
  await picture('box-light')
  await runCommand(page, 'View: New Tab')
  await page.getByRole('group', { name: 'New tab' }).waitFor()
  await picture('new-tab-light')
  await page.locator('.tab', { hasText: 'Preview 8080' }).click()
})

step('WB490, WB1093: a click on somebody shows the files and lines that they see, until it is ended', async () => {
  const { page, server } = story
  const id = new URL(devbox).pathname.split('/').at(-1)!
  await page.evaluate(async (sandbox) => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ sandbox: { privacy: 0 } })
    await fetch(`/api/v1/sandboxes/${sandbox}/privacy`, { method: 'PATCH', headers, body })
  }, id)
  other = await openBrowser()
  const grace = other.pages()[0]!
  await createAccount(grace, server.address, 'grace')
  await grace.goto(devbox)
  await grace.getByRole('treeitem', { name: 'index.html', exact: true }).waitFor()
  await grace.locator('header').getByRole('button', { name: 'Follow ada' }).click()
  await grace.getByText('Following ada').waitFor()
  await openFile(page, 'styles.css')
  await grace.getByRole('tab', { name: /styles\.css/ }).waitFor()
  await openFile(page, 'script.js')
  await grace.getByRole('tab', { name: /script\.js/ }).waitFor()
  await picture('following', grace)
  await grace.setViewportSize({ width: 374, height: 812 })
  await grace.locator('header').getByRole('button', { name: 'More', exact: true }).click()
  await picture('following-374', grace)
  await grace.getByRole('menuitem', { name: 'Following ada. Click to stop.' }).click()
  await grace.getByRole('button', { name: 'Following ada. Click to stop.' }).waitFor({ state: 'detached' })
  await grace.setViewportSize({ width: 1440, height: 900 })
  await openFile(page, 'index.html')
  await typeAfter(page, '<body>', 'alone')
  expect(await editorText(grace)).not.toContain('alone')
})

step('AP939: a key of who may only read makes a copy of their own, which opens with what they typed', async () => {
  const { page } = story
  const grace = other!.pages()[0]!
  await grace.locator('header').getByRole('button', { name: 'Fork', exact: true }).waitFor()
  await openFile(grace, 'index.html')
  await typeAfter(grace, '<body>', 'mine')
  await grace.getByText('We forked this Devbox to your Drafts, so that you can edit it').waitFor({ timeout: 120_000 })
  await expect.poll(() => editorText(grace), { timeout: 120_000 }).toContain('<body>mine')
  await picture('forked', grace)
  expect(new URL(grace.url()).pathname).not.toBe(new URL(devbox).pathname)
  expect(await editorText(page)).not.toContain('mine')
  // A page that stays open would start the machine again when it is stopped below.
  await other!.close()
  other = undefined
})

step('WB880: an upload goes on behind a file that fails and names it', async () => {
  const { page } = story
  await page
    .locator('.activitybar')
    .getByRole('tab', { name: /^Explorer/ })
    .click()
  const choosing = page.waitForEvent('filechooser')
  await page.locator('.explorer-folders-view').click({ button: 'right', position: { x: 60, y: 420 } })
  await chooseInMenu(page, /^Upload/)
  const chooser = await choosing
  const long = `${'long'.repeat(80)}.txt`
  await chooser.setFiles([
    { name: long, mimeType: 'text/plain', buffer: Buffer.from('x') },
    { name: 'picture.png', mimeType: 'image/png', buffer: PICTURE },
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('brought') },
  ])
  await page.getByText(/^Not uploaded: (?:long){15}….*Everything else was uploaded\.$/).waitFor()
  await picture('upload')
  await page.getByRole('treeitem', { name: 'notes.txt', exact: true }).waitFor()
})

step('WB882: a picture is shown, and again when it changes', async () => {
  const { page } = story
  await page.getByRole('treeitem', { name: 'picture.png', exact: true }).dblclick()
  await page.getByRole('img', { name: 'picture.png' }).waitFor()
  await page.getByText('1 × 1 pixels, 70 B').waitFor()
  await picture('image')
  await runInTerminal(page, 'echo no picture > picture.png')
  await page.getByText(/^This file of 11 B is no picture/).waitFor()
})

step('WB881: a program in a terminal copies, and does not read what was copied', async () => {
  const { page, browser } = story
  await browser.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(page.url()).origin })
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await runInTerminal(page, `printf '\\033]52;c;%s\\a' $(printf 'from the terminal' | base64)`)
  await expect.poll(copied, { timeout: 30_000 }).toBe('from the terminal')
  // What is asked for would be typed behind the prompt.
  await runInTerminal(page, `printf '\\033]52;c;?\\a'; read -t 2 -k 3 answer; echo "got [\${answer}]"`)
  await page.locator('.terminal-wrapper.active .xterm-rows').getByText('got []', { exact: true }).waitFor()
})

step('WB1037: what stands in a terminal leads to files and addresses, is found, copied and pasted', async () => {
  const { page, browser } = story
  const rows = page.locator('.terminal-wrapper.active .xterm-rows')
  const shown = (text: string) => rows.getByText(text, { exact: true }).last()
  const follow = async (text: string) => {
    const { x, y } = (await shown(text).boundingBox())!
    await page.mouse.move(x + 20, y + 5)
    // The editor has found out where it leads.
    await rows.locator('[style*="underline"]', { hasText: text }).waitFor()
    await page.keyboard.down('Control')
    await page.locator('.terminal-wrapper.active .xterm-screen.xterm-cursor-pointer').waitFor()
    await page.mouse.click(x + 20, y + 5)
    await page.keyboard.up('Control')
  }
  await runInTerminal(page, 'clear; echo styles.css:2')
  await shown('styles.css:2').waitFor()
  await follow('styles.css:2')
  await page.getByRole('tab', { name: /styles\.css/, selected: true }).waitFor()
  await page.locator('.statusbar-item', { hasText: 'Ln 2, Col 1' }).waitFor()

  await browser.route('https://example.org/**', (route) => route.fulfill({ body: 'Somewhere else' }))
  await runInTerminal(page, 'echo https://example.org/somewhere')
  await shown('https://example.org/somewhere').waitFor()
  const opened = page.context().waitForEvent('page')
  await follow('https://example.org/somewhere')
  await page.getByRole('dialog').getByRole('button', { name: 'Open', exact: true }).click()
  const elsewhere = await opened
  await elsewhere.getByText('Somewhere else').waitFor()
  expect(elsewhere.url()).toBe('https://example.org/somewhere')
  await elsewhere.close()

  await runInTerminal(page, 'clear; echo needle needle')
  await shown('needle needle').waitFor()
  await page.keyboard.press('Control+f')
  const find = page.locator('.terminal-wrapper.active .simple-find-part.visible')
  await find.locator('input').fill('needle')
  await find
    .locator('.matchesCount')
    .getByText(/^\d of 2$/)
    .waitFor()
  await picture('terminal-find')
  await page.keyboard.press('Escape')
  await find.waitFor({ state: 'detached' })

  const { x, y } = (await shown('needle needle').boundingBox())!
  await page.mouse.dblclick(x + 5, y + 5)
  await page.keyboard.press('Control+Shift+C')
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText()), { timeout: 30_000 }).toBe('needle')
  await page.keyboard.type('echo "<')
  await page.keyboard.press('Control+Shift+V')
  await rows.locator('div', { hasText: '"<needle' }).waitFor()
  await page.keyboard.type('>"')
  await page.keyboard.press('Enter')
  await shown('<needle>').waitFor()
})

step('WB1037: a terminal is split, and a shell ends with its terminal', async () => {
  const { page } = story
  const terminals = page.locator('.terminal-wrapper.active')
  await runCommand(page, 'Terminal: Split Terminal')
  await expect.poll(() => terminals.count(), { timeout: 30_000 }).toBe(2)
  await terminals.nth(1).locator('.xterm-helper-textarea:focus').waitFor({ state: 'attached' })
  await page.keyboard.type('echo $$ > split.txt')
  await page.keyboard.press('Enter')
  await page.getByRole('treeitem', { name: 'split.txt', exact: true }).waitFor()
  await picture('terminal-split')
  await runCommand(page, 'Terminal: Kill the Active Terminal Instance')
  await expect.poll(() => terminals.count(), { timeout: 30_000 }).toBe(1)
  await runInTerminal(page, 'clear; while kill -0 $(cat split.txt); do sleep 0.2; done; echo it is gone')
  await terminals.locator('.xterm-rows').getByText('it is gone', { exact: true }).waitFor()
})

step('files are moved by dragging, and downloaded', async () => {
  const { page } = story
  await runInTerminal(page, 'mkdir folder')
  const item = (name: string) => page.getByRole('treeitem', { name, exact: true })
  await item('folder').waitFor()
  await item('notes.txt').dragTo(item('folder'))
  const asked = page.getByRole('dialog').getByRole('button', { name: 'Move' })
  await asked.click()
  await runInTerminal(page, 'until cat folder/notes.txt; do sleep 0.2; done')
  await page.locator('.terminal-wrapper.active .xterm-rows').getByText('brought', { exact: true }).waitFor()
  // A folder that something was moved into may be open already.
  const isListed = async () => {
    if (!(await item('notes.txt').isVisible())) await item('folder').click()
    return item('notes.txt').isVisible()
  }
  await expect.poll(isListed, { timeout: 60_000, interval: 1_000 }).toBe(true)
  const downloading = page.waitForEvent('download')
  await item('notes.txt').click({ button: 'right' })
  await chooseInMenu(page, /^Download/)
  const file = await downloading
  expect(file.suggestedFilename()).toBe('notes.txt')
  expect(await readFile(await file.path(), 'utf8')).toBe('brought')
  const archiving = page.waitForEvent('download')
  await page.locator('header').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Download all files (zip)' }).click()
  const archive = await archiving
  expect(archive.suggestedFilename()).toMatch(/\.zip$/)
  expect((await readFile(await archive.path())).subarray(0, 2).toString()).toBe('PK')
})

step(
  'WB510, WB1074: a small window closes the side bar and shows one pane at a time, with the terminal’s list above it',
  async () => {
    const { page } = story
    const sideBar = page.locator('.part.sidebar')
    const code = page.locator('.editor-instance .view-lines').first()
    const terminal = page.locator('.terminal-wrapper.active .xterm')
    const panes = page.getByRole('navigation', { name: 'Panes' })
    await openFile(page, 'index.html')
    await runInTerminal(page, 'echo small')
    await page.setViewportSize({ width: 836, height: 1112 })
    await picture('836')
    // Whoever is in the terminal goes on there, and it alone is shown.
    await page.setViewportSize({ width: 374, height: 812 })
    await sideBar.waitFor({ state: 'hidden' })
    await panes.getByRole('button', { name: 'Terminal', pressed: true }).waitFor()
    await code.waitFor({ state: 'hidden' })
    await terminal.waitFor()
    const list = page.locator('.terminal-tabs-entry').first()
    const choice = page.locator('.part.panel').getByRole('combobox', { name: /terminal/i })
    await choice.waitFor()
    await list.waitFor({ state: 'hidden' })
    await page.setViewportSize({ width: 1440, height: 900 })
    await list.waitFor()
    await choice.waitFor({ state: 'detached' })
    await code.click()
    await page.setViewportSize({ width: 374, height: 812 })
    await panes.getByRole('button', { name: 'Code', pressed: true }).waitFor()
    await terminal.waitFor({ state: 'hidden' })
    await code.waitFor()
    await panes.getByRole('button', { name: 'Preview' }).click()
    await page.locator(PREVIEW_FRAME).first().waitFor()
    await picture('374-preview')
    await panes.getByRole('button', { name: 'Terminal' }).click()
    await page.locator('.terminal-wrapper.active .xterm').waitFor()
    await picture('374-terminal')
    await panes.getByRole('button', { name: 'Code' }).click()
    await page.locator('.editor-instance .view-lines').first().waitFor()
    expect(await page.locator('.terminal-wrapper.active .xterm').isVisible()).toBe(false)
    await picture('374-code')
    await runCommand(page, 'Terminal: Focus Terminal')
    await panes.getByRole('button', { name: 'Terminal', pressed: true }).waitFor()
    await code.waitFor({ state: 'hidden' })
    await openFile(page, 'script.js')
    await panes.getByRole('button', { name: 'Code', pressed: true }).waitFor()
    await terminal.waitFor({ state: 'hidden' })
    await runCommand(page, 'Terminal: Focus Terminal')
    await terminal.waitFor()
    await runCommand(page, 'View: Toggle Panel Visibility')
    await panes.getByRole('button', { name: 'Code', pressed: true }).waitFor()
    await code.waitFor()
    await page.reload()
    await page.locator('.editor-instance .view-lines').first().waitFor()
    await panes.getByRole('button', { name: 'Terminal' }).click()
    await page.locator('.terminal-wrapper.active .xterm').waitFor()
    expect(await sideBar.isVisible()).toBe(false)
  },
)

step('WB805: in a small window the side bar is a drawer', async () => {
  const { page } = story
  const sideBar = page.locator('.part.sidebar')
  const dim = page.getByRole('button', { name: 'Close the side bar' })
  const explorer = page.locator('.activitybar').getByRole('tab', { name: /^Explorer/ })
  await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: 'Code' }).click()
  for (const width of [374, 835]) {
    await page.setViewportSize({ width, height: 812 })
    await explorer.click()
    await dim.waitFor()
    const box = (await sideBar.boundingBox())!
    expect(Math.round(box.width)).toBe(Math.min(300, width - 40 - box.x))
    await picture(`drawer-${width}`)
    await dim.click()
    await sideBar.waitFor({ state: 'hidden' })
    expect(await dim.count()).toBe(0)
  }
  await explorer.click()
  await page.getByRole('treeitem', { name: 'styles.css', exact: true }).click()
  await sideBar.waitFor({ state: 'hidden' })
  await explorer.click()
  await dim.waitFor()
  await page.keyboard.press('Escape')
  await sideBar.waitFor({ state: 'hidden' })
  await page.setViewportSize({ width: 1440, height: 900 })
  expect(await dim.count()).toBe(0)
})

step('WB1015, WB1016, WB1017, WB1063: the light editor shares its texts, finds files and leads away', async () => {
  const { page } = story
  const light = await page.context().newPage()
  await light.setViewportSize({ width: 1440, height: 900 })
  await light.goto(`${devbox}?mode=integrated&file=index.html`)
  await light.getByRole('tab', { name: /index\.html/, selected: true }).waitFor()
  const item = light.getByRole('treeitem', { name: 'styles.css', exact: true })
  const icon = () => item.locator('.boxyard-files-icon').evaluate((one) => getComputedStyle(one, '::before').fontFamily)
  await expect.poll(icon, { timeout: 30_000 }).toBe('seti')
  // Keys of commands count beside the editors too.
  await item.focus()
  await openFile(light, 'styles.css')
  await editor(light).locator('.view-lines').click()
  await light.keyboard.press('Control+Home')
  await light.keyboard.type('/* light */')
  await editor(page).locator('.view-line', { hasText: '/* light */' }).waitFor()
  await light.keyboard.press('Control+s')
  await light.locator('header').getByText('Saved', { exact: true }).waitFor()
  for (const scheme of ['light', 'dark']) {
    for (const width of [1440, 836, 374]) {
      await light.setViewportSize({ width, height: 900 })
      await picture(`light-editor-${scheme}-${width}`, light)
    }
    await light.setViewportSize({ width: 1440, height: 900 })
    const columns = () =>
      light.locator('.editor-group-container').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width))
    await expect.poll(async () => Math.min(...(await columns())), { timeout: 30_000 }).toBeGreaterThan(500)
    if (scheme === 'dark') continue
    await light.getByRole('button', { name: 'More', exact: true }).click()
    await chooseInMenu(light, /^Dark theme/)
    await light.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark')
  }
  await light.getByRole('button', { name: 'Open the workbench' }).click()
  await light.locator('.part.sidebar').getByRole('treeitem', { name: 'styles.css', exact: true }).waitFor()
  await light
    .getByRole('tab', { name: /styles\.css/ })
    .first()
    .waitFor()
  expect(light.url()).not.toContain('mode=')
  await light.close()
})

step('WB1020: the page of a devbox is shown with nothing of the app around it', async () => {
  const { page, server } = story
  const id = new URL(devbox).pathname.split('/').at(-1)!
  const bare = await page.context().newPage()
  for (const path of [`/devtool/preview?id=${id}`, `/devtool/inline-preview/${id}-8080`]) {
    await bare.goto(`${server.address}${path}`)
    await bare.frameLocator('iframe[title="Port 8080"]').locator('h1').waitFor()
    expect(await bare.locator('header').count()).toBe(0)
  }
  await bare.close()
})

step(
  'a devbox is shown in a page of another site with its files, and its machine is started when that is asked for',
  async () => {
    const { server, page } = story
    const id = new URL(devbox).pathname.split('/').at(-1)!
    const reader = await openBrowser({ width: 1000, height: 600 })
    try {
      const embed = reader.pages()[0]!
      await embed.goto(`${server.address}/embed/${id}?file=styles.css&theme=light`)
      await embed.getByRole('textbox', { name: 'Text of styles.css' }).waitFor()
      await embed.getByLabel('File', { exact: true }).selectOption('index.html')
      await embed
        .getByRole('textbox', { name: 'Text of index.html' })
        .getByText('<!doctype html>', { exact: false })
        .waitFor()
      await picture('embed-devbox', embed)
      await page.goto(`${server.address}/dashboard/recent`)
      const stopped = await page.evaluate(
        async (box) => (await fetch(`/api/vm/${box}/shutdown`, { method: 'POST' })).status,
        id,
      )
      expect(stopped).toBe(200)
      await embed.reload()
      await picture('embed-devbox-asleep', embed)
      await embed.getByRole('button', { name: 'Start the machine' }).click()
      await embed.getByRole('textbox', { name: 'Text of styles.css' }).waitFor()
    } finally {
      await reader.close()
    }
  },
)

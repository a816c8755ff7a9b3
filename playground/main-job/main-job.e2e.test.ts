import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { BrowserContext, FrameLocator, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it as test, vi } from 'vitest'
import { caretAfter } from '../support/caretAfter.ts'
import { openBrowser } from '../support/browser.ts'
import { freePort, startServer } from '../support/server.ts'
import type { RunningServer } from '../support/server.ts'
import { PREVIEW_FRAME } from '../support/previewFrame.ts'

// The main job, as a newcomer does it, on a clean clone with an empty data folder. The tests are steps of one story and build on each other.

const run = promisify(execFile)
const repository = resolve(import.meta.dirname, '../..')

let checkout: string
let folder: string
let environment: Record<string, string>
let server: RunningServer
let browser: BrowserContext
let page: Page
let devbox: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'boxyard-main-job-'))
  // A clone has only what is committed; E2E_CHECKOUT lets a developer try what is not.
  checkout = process.env['E2E_CHECKOUT'] ?? join(folder, 'clone')
  if (!process.env['E2E_CHECKOUT']) await run('git', ['clone', '--quiet', repository, checkout])
  environment = { BOXYARD_HOME: join(folder, 'home'), PORT: String(await freePort()) }
})

afterAll(async () => {
  await browser?.close()
  await server?.end('SIGTERM').catch(() => undefined)
  await rm(folder, { recursive: true, force: true })
})

/** One step of the story. After a step that failed the rest says nothing, and waiting for it would take very long. */
let brokenAt: string | undefined
function it(name: string, step: () => Promise<void>): void {
  test(name, async () => {
    if (brokenAt !== undefined) throw new Error(`not tried, because this step failed: ${brokenAt}`)
    brokenAt = name
    try {
      await step()
    } catch (error) {
      await page?.screenshot({ path: join(repository, 'test-results', 'broken-step.png') }).catch(() => undefined)
      throw new Error(`${name}\n${server?.output().slice(-4000)}`, { cause: error })
    }
    brokenAt = undefined
  })
}

const preview = (window: Page): FrameLocator => window.frameLocator(PREVIEW_FRAME).first()
const editor = (window: Page): Locator => window.locator('.editor-instance .monaco-editor').first()
const terminalText = (window: Page): Locator => window.locator('.terminal-wrapper.active .xterm-rows').first()

async function openFile(window: Page, name: string): Promise<void> {
  await window.getByRole('treeitem', { name: 'package.json', exact: true }).waitFor()
  const input = window.locator('.quick-input-widget input')
  // While the first text stands in for the editor, the keys of the editor's commands mean nothing.
  const isAsked = async () => {
    await window.keyboard.press('Control+p')
    return input.waitFor({ timeout: 5_000 }).then(
      () => true,
      () => false,
    )
  }
  await vi.waitUntil(isAsked, { timeout: 120_000, interval: 100 })
  await input.fill(name)
  await window.locator('.quick-input-list .monaco-list-row').filter({ hasText: name }).first().waitFor()
  await window.keyboard.press('Enter')
  await window
    .getByRole('tab', { name: new RegExp(name) })
    .first()
    .waitFor()
}

/** Puts the caret behind the first place where `text` stands in the open file. */
async function putCaretAfter(window: Page, text: string): Promise<void> {
  await editor(window).locator('.view-lines').click()
  await caretAfter(window, text)
}

async function openTerminal(window: Page): Promise<void> {
  const isOpen = async () => {
    await window.keyboard.press('Control+`')
    return window
      .locator('.terminal-wrapper.active .xterm')
      .waitFor({ timeout: 10_000 })
      .then(
        () => true,
        () => false,
      )
  }
  // The terminals are what the editor starts last; a key that comes before means nothing.
  await vi.waitUntil(isOpen, { timeout: 120_000, interval: 100 })
  await window.locator('.xterm-helper-textarea:focus').waitFor()
}

const shows = (locator: Locator, text: string | RegExp) =>
  expect.poll(() => locator.innerText(), { timeout: 60_000 }).toMatch(text)

it('starts on a clean clone with an empty data folder and says where it is', async () => {
  server = await startServer(checkout, environment)
  expect(server.output()).not.toMatch(/error|warn/i)
  const health = await fetch(`http://localhost:${environment['PORT']}/api/health`)
  expect([health.status, await health.json()]).toMatchObject([200, { status: 'ok' }])
})

it('lets the first person create the administrator’s account and shows an empty dashboard', async () => {
  browser = await openBrowser()
  page = browser.pages()[0]!
  await page.goto(server.address)
  await page
    .getByRole('button', { name: /sign in/i })
    .first()
    .click()
  const opened = browser.waitForEvent('page')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /sign in with/i })
    .click()
  const popup = await opened
  await popup.getByLabel('User name').fill('ada')
  await popup.getByLabel(/^Email/).fill('ada@example.org')
  await popup.getByLabel(/^Password/).fill('correct horse battery')
  await popup.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL('**/dashboard/recent')
  await page.getByText('Nothing here yet').waitFor()
})

it('creates a React devbox and lands in the editor, with the preview beside the code', async () => {
  await page
    .getByRole('button', { name: /create/i })
    .first()
    .click()
  await page.getByRole('option', { name: /React \(Vite, TypeScript\)/ }).click()
  await page.getByRole('button', { name: /^Create from/ }).click()
  await page.waitForURL('**/devbox/*')
  devbox = page.url()
  await page.getByRole('treeitem', { name: 'package.json', exact: true }).waitFor()
  await preview(page).getByRole('heading', { name: 'Hello React' }).waitFor()
})

it('hot-reloads an edit with the state of the page kept', async () => {
  await openFile(page, 'App.tsx')
  const count = preview(page).getByRole('button', { name: /Count is/ })
  await count.click()
  await count.click()
  await putCaretAfter(page, 'Hello React')
  await page.keyboard.type(' and Boxyard')
  await page.keyboard.press('Control+s')
  await preview(page).getByRole('heading', { name: 'Hello React and Boxyard' }).waitFor()
  expect(await count.innerText()).toBe('Count is 2')
  await page.screenshot({ path: join(repository, 'test-results', 'editor.png') })
})

it('runs git, the tests and a full-screen program in a terminal, and interrupts a flood', async () => {
  await openTerminal(page)
  await page.keyboard.type('git status\n')
  await shows(terminalText(page), /On branch main[\s\S]*App\.tsx/)
  await page.keyboard.type('npm test\n')
  await shows(terminalText(page), /Tests\s+\d+ passed/)
  await page.keyboard.type('clear; less package.json\n')
  await shows(terminalText(page), /"name": "react-vite-ts"[\s\S]*package\.json/)
  await page.keyboard.type('q')
  await page.keyboard.type('yes\n')
  await shows(terminalText(page), /y\s+y\s+y/)
  await page.keyboard.press('Control+c')
  await page.keyboard.type('clear; echo flood-over-$((6 * 7))\n')
  await shows(terminalText(page), 'flood-over-42')
})

it('shows a second window the text and the cursor of the first at once', async () => {
  const second = await browser.newPage()
  await second.goto(devbox)
  await openFile(second, 'styles.css')
  await openFile(page, 'styles.css')
  await putCaretAfter(page, '{')
  await page.keyboard.type('/* from the first window */')
  await shows(editor(second).locator('.view-lines'), /from\sthe\sfirst\swindow/)
  await second.locator('[class*="boxyard-cursor-"]').first().waitFor({ state: 'attached' })
  await putCaretAfter(second, 'first window */')
  await second.keyboard.type('/* from the second */')
  await shows(editor(page).locator('.view-lines'), /from\sthe\ssecond/)
  await second.close()
})

it('loses nothing when the server is killed, and says what was restarted', async () => {
  await putCaretAfter(page, '*/')
  await page.keyboard.type('/* typed and not saved */')
  await shows(page.locator('header').first(), /Kept, not saved/)
  await server.end('SIGKILL')
  expect(await processesOf(environment['BOXYARD_HOME']!, /bwrap/)).toEqual([])
  server = await startServer(checkout, environment)
  // The open page comes back by itself and says what happened, in a notice and in its terminal; a reloaded one finds the same.
  await page.getByText('The machine was restarted').filter({ visible: true }).first().waitFor()
  await shows(editor(page).locator('.view-lines'), /typed\sand\snot\ssaved/)
  await page.reload()
  await openFile(page, 'styles.css')
  await shows(editor(page).locator('.view-lines'), /typed\sand\snot\ssaved/)
  await preview(page).getByRole('heading', { name: 'Hello React and Boxyard' }).waitFor()
  await openTerminal(page)
  await shows(terminalText(page), 'flood-over-42')
})

it('stops everything it started', async () => {
  await server.end('SIGINT')
  expect(await processesOf(environment['BOXYARD_HOME']!, /./)).toEqual([])
})

/** Command lines of the processes that name the data folder and match. */
async function processesOf(home: string, pattern: RegExp): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    // A process may end while it is looked at.
    const command = (await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ')
    if (command.includes(home) && pattern.test(command)) found.push(command)
  }
  return found
}

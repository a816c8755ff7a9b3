import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch } from 'puppeteer-core'
import type { Browser, Frame, Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort, startServer } from '../support/server.ts'
import type { RunningServer } from '../support/server.ts'
import { repository } from '../support/story.ts'
import { PREVIEW_FRAME } from '../support/previewFrame.ts'

// The main ways of the editor in Firefox, as it comes.

const POLL = { timeout: 120_000 }
let folder: string
let server: RunningServer
let firefox: Browser
let page: Page
const said: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'boxyard-firefox-'))
  server = await startServer(repository, { BOXYARD_HOME: join(folder, 'home'), PORT: String(await freePort()) })
  firefox = await launch({
    browser: 'firefox',
    executablePath: process.env['FIREFOX'] ?? '/usr/bin/firefox-esr',
    userDataDir: await mkdtemp(join(folder, 'profile-')),
    protocolTimeout: 600_000,
    // Without WebGL the terminal draws its text as elements, which tests can read.
    extraPrefsFirefox: { 'webgl.disabled': true },
  })
  page = await firefox.newPage()
  await page.setViewport({ width: 1440, height: 900 })
  page.setDefaultTimeout(120_000)
  page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => said.push(`error: ${error instanceof Error ? error.stack : String(error)}`))
})

afterAll(async () => {
  await firefox?.close()
  await server?.end('SIGTERM').catch(() => undefined)
  await rm(folder, { recursive: true, force: true })
})

/** A step of a story: after one that failed the others are not tried. */
let brokenAt: string | undefined
function step(title: string, perform: () => Promise<void>): void {
  it(title, async () => {
    if (brokenAt !== undefined) throw new Error(`not tried, because this step failed: ${brokenAt}`)
    brokenAt = title
    try {
      await perform()
    } catch (error) {
      await picture('broken-step').catch(() => undefined)
      throw new Error(`${title}\n${said.slice(-30).join('\n')}\n${server?.output().slice(-3000)}`, { cause: error })
    }
    brokenAt = undefined
    said.length = 0
  })
}

async function picture(name: string): Promise<void> {
  const results = join(repository, 'test-results')
  await mkdir(results, { recursive: true })
  await page.screenshot({ path: `${results}/firefox-${name}.png` })
}
/** What is called so. */
const named = (role: string, name: string, within: Page | Frame = page) =>
  within.locator(`::-p-aria([role="${role}"][name="${name}"])`)
const text = () =>
  page.$eval('.editor-instance .view-lines', (lines) => (lines as HTMLElement).innerText.replaceAll('\u00a0', ' '))
const preview = async (selector = PREVIEW_FRAME): Promise<Frame> => {
  const element = await page.waitForSelector(selector)
  const frame = await element?.contentFrame()
  if (!frame) throw new Error('The preview has no frame')
  return frame
}
const heading = async () => (await preview()).$eval('h1', (element) => element.textContent)

async function openFile(name: string): Promise<void> {
  const input = '.quick-input-widget input'
  const find = async () => {
    await page.keyboard.down('Control')
    await page.keyboard.press('p')
    await page.keyboard.up('Control')
    await page.waitForSelector(input, { visible: true, timeout: 5_000 })
    await page.locator(input).fill(name)
    await page.waitForSelector(`.quick-input-list [role="option"][aria-label*="${name}"]`, { timeout: 5_000 })
    return true
  }
  // Who looks for a file while the editor still starts may find none, and looks again.
  const again = () => page.keyboard.press('Escape').then(() => false)
  await expect.poll(() => find().catch(again), POLL).toBe(true)
  await page.keyboard.press('Enter')
  await page.waitForSelector(`.tab.active[aria-label*="${name}"]`)
  await page.waitForSelector('.editor-instance .view-line span span')
}

/** Types behind the first place where `found` stands in the open file. */
async function typeAfter(found: string, typed: string): Promise<void> {
  // By its place: as an element it would be scrolled into view with all its width.
  const { x, y } = await page.$eval('.editor-instance .view-line span span', (span) => {
    const { left, top, height } = span.getBoundingClientRect()
    return { x: left + 2, y: top + height / 2 }
  })
  await page.mouse.click(x, y)
  await page.keyboard.down('Control')
  await page.keyboard.press('f')
  await page.keyboard.up('Control')
  await page.locator('.find-widget textarea').fill(found)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await page.waitForFunction(() =>
    document.activeElement?.closest('.find-widget, .editor-instance')?.matches('.editor-instance'),
  )
  // Where keys go the editor decides a turn after the focus has moved.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0))))
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type(typed)
}

/** Goes to an address. Something that the page itself begins to load at that moment ends the first try. */
async function visit(address: string): Promise<void> {
  await page.goto(address).catch((error: unknown) => {
    if (!(error instanceof Error) || !error.message.includes('NS_BINDING_ABORTED')) throw error
    return page.goto(address)
  })
}

async function create(template: string, place: 'machine' | 'browser'): Promise<void> {
  await visit(`${server.address}/dashboard/recent?create=true`)
  await page.locator(`::-p-xpath(//*[@role="option"][contains(., "${template}")])`).click()
  if (place === 'browser') {
    await page.locator('::-p-aria(Runs)').click()
    await named('option', 'In your browser').click()
  }
  await page.locator('::-p-xpath(//button[starts-with(normalize-space(.), "Create from")])').click()
  await page.waitForFunction(
    (part) => location.pathname.startsWith(part),
    {},
    place === 'browser' ? '/sandbox/' : '/devbox/',
  )
  await page.waitForSelector('[role="treeitem"][aria-label*="package.json"]')
}

step('WB845: signs up', async () => {
  await page.goto(server.address)
  await page.locator('::-p-xpath(//button[contains(., "Sign in")])').click()
  const opened = firefox.waitForTarget((target) => target.url().includes('/_git/'))
  await page.locator('::-p-xpath(//*[@role="dialog"]//button[contains(., "Sign in with")])').click()
  const popup = await (await opened).page()
  if (!popup) throw new Error('No window was opened')
  await popup.locator('input[name="login"]').fill('ada')
  await popup.locator('input[type="email"]').fill('ada@example.org')
  await popup.locator('input[type="password"]').fill('correct horse battery')
  await popup.locator('::-p-xpath(//button[contains(., "Create account")])').click()
  await page.waitForFunction(() => location.pathname === '/dashboard/recent')
  await picture('dashboard')
})

step('WB845: opens a devbox, edits it, and shows its page', async () => {
  await create('React (Vite, TypeScript)', 'machine')
  await expect.poll(() => heading().catch(() => ''), POLL).toBe('Hello React')
  await openFile('App.tsx')
  await typeAfter('Hello React', ' in Firefox')
  await expect.poll(text, POLL).toContain('Hello React in Firefox')
  await page.keyboard.down('Control')
  await page.keyboard.press('s')
  await page.keyboard.up('Control')
  await expect.poll(() => heading().catch(() => ''), POLL).toBe('Hello React in Firefox')
  await picture('devbox')
})

step('WB845: its terminal takes keys', async () => {
  await page.keyboard.down('Control')
  await page.keyboard.press('`')
  await page.keyboard.up('Control')
  await page.waitForSelector('.xterm-helper-textarea:focus')
  await page.keyboard.type('echo $((6 * 7)) > answer.txt\n')
  await page.waitForSelector('[role="treeitem"][aria-label*="answer.txt"]')
  await picture('terminal')
})

step('WB845: what is open and typed is there when the page is loaded again', async () => {
  await page.reload()
  await page.waitForSelector('.editor-instance .view-line span span')
  await expect.poll(text, POLL).toContain('Hello React in Firefox')
})

step('WB845: opens a sandbox without a machine, edits it, and shows its page', async () => {
  await create('React (Vite, TypeScript)', 'browser')
  await expect.poll(() => heading().catch(() => ''), POLL).toBe('Hello React')
  await openFile('App.tsx')
  await typeAfter('Hello React', ' without a machine')
  await expect.poll(() => heading().catch(() => ''), POLL).toBe('Hello React without a machine')
  await picture('sandbox')
})

/** Makes a sandbox without a machine of these files, and gives its id. */
const define = (files: Record<string, string>): Promise<string> =>
  page.evaluate(async (given) => {
    const headers = { 'content-type': 'application/json' }
    const content = Object.fromEntries(Object.entries(given).map(([path, code]) => [path, { content: code }]))
    const body = JSON.stringify({ files: content })
    const made = await fetch('/api/v1/sandboxes/define?json=1', { method: 'POST', headers, body })
    const { sandbox_id: id } = (await made.json()) as { sandbox_id: string }
    const privacy = JSON.stringify({ sandbox: { privacy: 1 } })
    await fetch(`/api/v1/sandboxes/${id}/privacy`, { method: 'PATCH', headers, body: privacy })
    return id
  }, files)

const rows = '.terminal-wrapper.active .xterm-rows'
/** The terminal shows it; blanks at the ends of lines are what a terminal has. */
const shows = (shown: RegExp) =>
  page.waitForFunction(
    (place, source) => {
      const lines = [...(document.querySelector(place)?.children ?? [])]
      const plain = lines.map((line) => (line.textContent ?? '').replaceAll('\u00a0', ' ').trimEnd())
      return new RegExp(source, 'm').test(plain.join('\n'))
    },
    {},
    rows,
    shown.source,
  )

const EXPRESS = `const express = require('express')
const port = Number(process.argv[2] ?? 3000)
express().get('/', (request, response) => response.send('<h1>Express at ' + port + '</h1>')).listen(port, () => console.log('listens at', port))`

step('WB845: runs Express, and its preview shows what it answers', async () => {
  const id = await define({
    'package.json': JSON.stringify({ scripts: { start: 'node server.js' }, dependencies: { express: '5.3.0' } }),
    'server.js': EXPRESS,
  })
  await visit(`${server.address}/sandbox/${id}`)
  await expect.poll(() => heading().catch(() => ''), POLL).toBe('Express at 3000')
  await picture('express')
})

step('WB845: a terminal starts a server, Ctrl-C ends it, and the preview goes on', async () => {
  await page.waitForSelector('[role="treeitem"][aria-label*="server.js"]')
  await page.keyboard.down('Control')
  await page.keyboard.press('`')
  await page.keyboard.up('Control')
  await page.waitForSelector('.xterm-helper-textarea:focus')
  await page.keyboard.type('npm start -- 4020\n')
  await shows(/^listens at 4020$/)
  const shown = new URL(await page.$eval(PREVIEW_FRAME, (frame) => (frame as HTMLIFrameElement).src))
  const tab = await firefox.newPage()
  await tab.goto(`${shown.protocol}//${shown.host.replace(/-\d+\./, '-4020.')}/`)
  await tab.waitForFunction(() => document.querySelector('h1')?.textContent === 'Express at 4020', POLL)
  await tab.close()
  await page.bringToFront()
  await page.focus('.terminal-wrapper.active .xterm-helper-textarea')
  await page.keyboard.down('Control')
  await page.keyboard.press('c')
  await page.keyboard.up('Control')
  // What is typed before the prompt is there goes to the program that is being ended.
  await shows(/\^C\s*~ \$\s*$/)
  await page.keyboard.type('echo back $((40 + 2))\n')
  await shows(/^back 42$/)
  await named('button', 'Reload the preview').click()
  await expect.poll(() => heading().catch(() => ''), POLL).toBe('Express at 3000')
  await picture('ended')
})

step('WB845: a preview reads nothing of the app, and registers no worker for it', async () => {
  const app = new URL(server.address).origin
  await page.evaluate(() => localStorage.setItem('secret', 'of the app'))
  const found = await (
    await preview()
  ).evaluate(async (origin) => {
    const tried = async (work: () => unknown) => {
      try {
        return await work()
      } catch (error) {
        return (error as Error).name
      }
    }
    return {
      cookies: document.cookie,
      stored: localStorage.getItem('secret'),
      document: await tried(() => parent.document.title),
      storage: await tried(() => parent.localStorage.getItem('secret')),
      answer: await tried(() => fetch(`${origin}/api/v1/users/current`, { credentials: 'include' })),
      worker: await tried(() => navigator.serviceWorker.register(`${origin}/worker.js`)),
      scope: await tried(() => navigator.serviceWorker.register('/worker.js', { scope: `${origin}/` })),
    }
  }, app)
  expect(found).toEqual({
    cookies: '',
    stored: null,
    document: 'SecurityError',
    storage: 'SecurityError',
    answer: 'TypeError',
    worker: 'SecurityError',
    scope: 'SecurityError',
  })
  expect(await page.evaluate(async () => (await fetch('/api/v1/users/current')).status)).toBe(200)
})

step('WB845: an embed shows code beside its page, which follows an edit', async () => {
  const id = await define({
    'package.json': '{}',
    'index.html': '<!doctype html>\n<html lang="en"><body>\n<h1>Embedded</h1>\n</body></html>',
  })
  await visit(`${server.address}/embed/${id}?view=split&file=index.html`)
  await expect.poll(() => heading().catch(() => ''), POLL).toBe('Embedded')
  await page.locator('::-p-xpath(//*[contains(@class, "cm-line")][contains(., "Embedded")])').click()
  await page.keyboard.press('End')
  for (let at = 0; at < '</h1>'.length; at += 1) await page.keyboard.press('ArrowLeft')
  await page.keyboard.type(' in Firefox')
  await expect.poll(() => heading().catch(() => ''), POLL).toBe('Embedded in Firefox')
  await picture('embed')
})

step('WB845: a page runs module workers', async () => {
  const id = await define({
    'index.html':
      '<!doctype html><html lang="en"><body><h1></h1><script type="module" src="/main.ts"></script></body></html>',
    'package.json': '{"dependencies":{"ms":"2.1.3"}}',
    'main.ts': `const worker = new Worker(new URL('./work.ts', import.meta.url), { type: 'module' })
worker.onmessage = ({ data }: MessageEvent) => { document.querySelector('h1')!.textContent = data }
worker.postMessage(21)`,
    'work.ts': `import ms from 'ms'
import { twice } from './twice'
self.onmessage = ({ data }) => self.postMessage('worked ' + twice(data) + ' ' + ms('2 days'))`,
    'twice.ts': 'export const twice = (x: number): number => 2 * x',
  })
  await visit(`${server.address}/sandbox/${id}`)
  await expect.poll(() => heading().catch(() => ''), POLL).toBe('worked 42 172800000')
})

step('BB955: without a server the same sandbox opens again, is edited and shows its page', async () => {
  // What shows the page before the editor does may give way to a frame of the editor.
  await page.waitForSelector(`[data-workbench] ${PREVIEW_FRAME}`)
  const hasWorker = async () => (await navigator.serviceWorker.getRegistration('/'))?.active?.state === 'activated'
  const isKept = async () => Boolean(await caches.match(location.origin + location.pathname))
  for (const holds of [hasWorker, isKept]) {
    await expect.poll(() => page.evaluate(holds), POLL).toBe(true)
    await expect.poll(async () => (await preview(`[data-workbench] ${PREVIEW_FRAME}`)).evaluate(holds), POLL).toBe(true)
  }
  await server.end('SIGKILL')
  await page.reload()
  await expect.poll(() => heading().catch(() => ''), POLL).toBe('worked 42 172800000')
  await page.waitForSelector('::-p-xpath(//header//*[contains(text(), "Offline, runs in your browser")])')
  await openFile('work.ts')
  await typeAfter('worked ', 'offline ')
  await expect.poll(() => heading().catch(() => ''), POLL).toBe('worked offline 42 172800000')
  await picture('offline')
})

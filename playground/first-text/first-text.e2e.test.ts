import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { BrowserContext, Locator, Page, Route } from 'playwright-core'
import { DevServerClient } from '@boxyard/dev-server-client'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { PlainBrowser } from '../../bench/editor/plainBrowser.ts'
import { untilAt } from '../../bench/editor/untilAt.ts'
import { administratorOf, administratorToken } from '../support/administrator.ts'
import type { Administrator } from '../support/administrator.ts'
import { openBrowser } from '../support/browser.ts'
import { freePort, startServer } from '../support/server.ts'
import type { RunningServer } from '../support/server.ts'

// The beginning of an editor page: the file before the editor, its take-over, and what the next visit finds in the browser.

const checkout = process.env['E2E_CHECKOUT'] ?? resolve(import.meta.dirname, '../..')
const token = administratorToken()
const POLL = { timeout: 120_000 }

let folder: string
let server: RunningServer
let administrator: Administrator
let browser: BrowserContext
let id: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'boxyard-first-text-'))
  const environment = { BOXYARD_HOME: join(folder, 'home'), PORT: String(await freePort()), BOXYARD_ADMIN_TOKEN: token }
  server = await startServer(checkout, environment)
  administrator = administratorOf(server, token)
  id = ((await call('POST', '/api/v1/sandboxes/static/fork', { v2: true })) as { id: string }).id
  await call('POST', `/api/vm/${id}/start`, {})
})

// Each in a profile of its own: what one visit has kept in the browser, the next one would not ask the network for.
beforeEach(async () => {
  browser = await openBrowser()
  await administrator.signIn(browser)
})

afterEach(() => browser?.close())

afterAll(async () => {
  await server?.end('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

const call: Administrator['call'] = (...given) => administrator.call(...given)

/** The text of the file in the box, with what is not saved yet. */
async function textInBox(): Promise<string> {
  const found = await call('GET', `/api/vm/${id}/first-text?path=index.html&scheme=dark`)
  return (found as { text: string }).text
}

const early = (page: Page) => page.locator('[data-first-text]')
const editorText = async (page: Page) =>
  (await page.locator('.editor-instance .view-lines').first().innerText()).replaceAll('\u00a0', ' ')

/** Where the first line of a text begins. */
const beginning = async (lines: Locator) => {
  const boxes = await lines.evaluateAll((all) => all.map((line) => line.getBoundingClientRect()))
  return { left: Math.round(boxes[0]!.left), top: Math.round(Math.min(...boxes.map(({ top }) => top))) }
}

const colorsInEditor = async (page: Page) => {
  const tokens = page.locator('.editor-instance .view-line span[class*="mtk"]')
  const kinds = await tokens.evaluateAll((spans) => spans.map(({ className }) => /mtk\d+/.exec(className)?.[0]))
  return new Set(kinds).size
}

/** Notes in the page how few colors the text in the editor ever has from now on. */
const watchColors = (page: Page) =>
  page.evaluate(() => {
    const noted = Object.assign(window, { fewestColors: Infinity })
    const look = () => {
      const tokens = document.querySelectorAll('.editor-instance .view-line span[class*="mtk"]')
      const colors = new Set([...tokens].map((token) => getComputedStyle(token).color))
      if (!document.querySelector('[data-first-text]') && colors.size > 0)
        noted.fewestColors = Math.min(noted.fewestColors, colors.size)
      requestAnimationFrame(look)
    }
    look()
  })
const fewestColors = (page: Page) => page.evaluate(() => (window as unknown as { fewestColors: number }).fewestColors)

/** A page whose editor does not arrive before `release` is called. */
async function openHeld(search = '', file = 'index.html'): Promise<{ page: Page; release(): Promise<void> }> {
  const page = await browser.newPage()
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const hold = async (route: Route) => {
    await released
    await route.continue()
  }
  await page.route(/\/assets\/open(?:Light)?-[^/]+\.js$/, hold)
  await page.goto(`${server.address}/devbox/${id}?file=${file}${search}`, { waitUntil: 'commit' })
  return {
    page,
    release: async () => {
      release()
      await early(page).waitFor({ state: 'detached' })
    },
  }
}

it('WB70, WB71, WB1061: shows the file in its colors before the editor, and hands over every key, the caret and the focus', async () => {
  const before = await textInBox()
  const { page, release } = await openHeld()
  // What extensions say of themselves is complete when these are there.
  let letExtensionsCome = () => {}
  const extensions = new Promise<void>((resolve) => (letExtensionsCome = resolve))
  await page.route('**/assets/package.nls-*.json', async (route) => {
    await extensions
    await route.continue()
  })
  await early(page).waitFor()
  const shown = await early(page).locator('p').allInnerTexts()
  expect(shown.map((line) => line.replace('\u200B', '')).join('\n')).toBe(before)
  const colors = await early(page)
    .locator('p span')
    .evaluateAll((spans) => spans.map((span) => (span as HTMLElement).style.color))
  expect(new Set(colors).size).toBeGreaterThan(2)
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('<!-- typed early -->')
  await page.keyboard.press('Enter')
  expect(await early(page).locator('p').first().innerText()).toBe('<!-- typed early -->')
  const stood = await beginning(early(page).locator('p'))
  const released = release()
  // Keys go on while the editor takes over; where they land is its business.
  const word = 'across-the-take-over'
  for (const letter of word) await page.keyboard.type(letter)
  await released
  expect(await beginning(page.locator('.editor-instance .view-line'))).toEqual(stood)
  expect(await colorsInEditor(page)).toBeGreaterThan(2)
  await page.keyboard.type(' late ')
  const expected = `<!-- typed early -->\n${word} late ${before}`
  await expect.poll(textInBox, POLL).toBe(expected)
  expect(await colorsInEditor(page)).toBeGreaterThan(2)
  letExtensionsCome()
  await expect.poll(() => editorText(page), POLL).toContain(`${word} late`)
  expect(await page.evaluate(() => document.activeElement?.closest('.monaco-editor') !== null)).toBe(true)
  await page.close()
})

it('WB900, WB1067: the page brings the text, of the file of the address and of the last visit, where the editor will be', async () => {
  const { page, release } = await openHeld('&sidebar=false', 'styles.css')
  let asked: string[] = []
  page.on('request', (request) => request.url().includes('/first-text') && asked.push(request.url()))
  const shown = page.locator('.editor-instance .view-lines')
  await early(page).waitFor()
  const stood = await beginning(early(page).locator('p'))
  await release()
  expect(await beginning(page.locator('.editor-instance .view-line'))).toEqual(stood)
  await shown.getByText('font-family').first().waitFor()
  const address = `${server.address}/devbox/${id}`
  // The cookie comes with the shown file, and a busy server sends the page without.
  const carried = async () => {
    asked = []
    const text = await (await page.goto(address))!.text()
    return JSON.parse(/id="first-text">(.*?)<\/script>/.exec(text)?.[1] ?? 'null') as unknown
  }
  const expected = { id, path: 'styles.css', answer: { path: 'styles.css', can_write: true } }
  await expect.poll(carried, POLL).toMatchObject(expected)
  await shown.getByText('font-family').first().waitFor()
  expect(asked).toEqual([])
  await page.close()
})

it('WB72, WB1061, WB1072: the light editor begins with the text too, takes it over where it stands, and loses nothing in a reload', async () => {
  const before = await textInBox()
  const { page, release } = await openHeld('&mode=integrated')
  await early(page).waitFor()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('<!-- before the reload -->')
  await page.reload({ waitUntil: 'commit' })
  await early(page).waitFor()
  expect(await early(page).locator('p').first().innerText()).toMatch(/^<!-- before the reload -->/)
  const stood = await beginning(early(page).locator('p'))
  await watchColors(page)
  const released = release()
  const word = 'across-the-take-over'
  for (const letter of word) await page.keyboard.type(letter)
  await released
  await page.getByRole('navigation', { name: 'Files of the project' }).waitFor()
  expect(await beginning(page.locator('.editor-instance .view-line'))).toEqual(stood)
  await page.keyboard.type(' late ')
  await expect.poll(textInBox, POLL).toBe(`${word} late <!-- before the reload -->${before}`)
  // Its language is known.
  await page.locator('[id="status.editor.mode"]').getByText('HTML').waitFor()
  expect(await fewestColors(page)).toBeGreaterThan(2)
  await page.close()
})

it('WB400, WB1080, AP951: the next visit takes the editor from the browser when the text stands, and the page from the server', async () => {
  const page = await browser.newPage()
  await page.addInitScript(() => {
    new MutationObserver((_changes, observer) => {
      if (!document.querySelector('[data-first-text]')) return
      performance.mark('text')
      observer.disconnect()
    }).observe(document, { childList: true, subtree: true })
    // The server was given a newer build since.
    new MutationObserver((_changes, observer) => {
      const build = document.querySelector<HTMLMetaElement>('meta[name=boxyard-build]')
      if (!build) return
      build.content = 'former'
      observer.disconnect()
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto(`${server.address}/devbox/${id}?file=index.html`)
  // A worker that is active has installed everything.
  await expect
    .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state), POLL)
    .toBe('activated')
  const editor = page.waitForResponse((response) => /\/assets\/open-[^/]+\.js$/.test(response.url()))
  const reloaded = await page.reload()
  expect(reloaded?.fromServiceWorker()).toBe(false)
  expect((await editor).fromServiceWorker()).toBe(true)
  await page.locator('.editor-instance .view-lines').first().waitFor()
  const firstOfReload = async () => {
    const text = await (await page.reload())!.text()
    // A busy server sends the page without; the app does not wait then.
    if (!text.includes('id="first-text"')) return undefined
    return (await page.waitForFunction(firstOfTextAndApp)).jsonValue()
  }
  await expect.poll(firstOfReload, POLL).toBe('the text')
  const notice = page.getByRole('article').filter({ hasText: 'A new version of the editor is there' })
  await notice.waitFor()
  await page.screenshot({ path: resolve(import.meta.dirname, '../../test-results/new-version.png') })
  const loaded = page.waitForEvent('load')
  await notice.getByRole('button', { name: 'Reload' }).click()
  await page.getByRole('article').filter({ hasText: 'Updating the editor' }).waitFor()
  await loaded
  await page.close()
})

it('WB1113: the next visit uses what the first one has compiled of the editor, with the functions that it ran', async () => {
  const address = `${server.address}/devbox/${id}?file=index.html`
  const page = await browser.newPage()
  await page.goto(address)
  await expect.poll(() => page.evaluate(compiledParts), POLL).toHaveLength(4)
  expect(await page.evaluate(() => document.querySelectorAll('iframe[srcdoc]').length)).toBe(0)
  const parts = await page.evaluate(compiledParts)
  await page.close()

  const next = await browser.newPage()
  const used = await scriptsCompiledIn(next, async () => {
    await next.goto(address)
    await next.locator('.editor-instance .view-lines').first().waitFor()
  })
  for (const part of parts) {
    const { consumedCacheSize, cacheRejected } = used.get(part) ?? {}
    expect({ part, cacheRejected }).toEqual({ part, cacheRejected: false })
    // Without a function that has run it is less than a tenth of that.
    expect(consumedCacheSize).toBeGreaterThan(500_000)
  }
  await next.close()
})

it('WB1114: all letters of the editor have one width, the arrows by which it finds that out among them', async () => {
  const page = await browser.newPage()
  await page.goto(`${server.address}/devbox/${id}?file=index.html`)
  await page.locator('.editor-instance .view-line').first().waitFor()
  const widths = await page.locator('.editor-instance .view-lines').evaluate((lines) =>
    ['n', 'm', '\u2192', '\uffeb'].map((letter) => {
      const span = Object.assign(document.createElement('span'), { textContent: letter.repeat(256) })
      span.style.cssText = 'position: absolute; white-space: pre'
      lines.append(span)
      const { width } = span.getBoundingClientRect()
      span.remove()
      return (width / 256).toFixed(3)
    }),
  )
  expect(new Set(widths)).toEqual(new Set([widths[0]]))
  await page.close()
})

/** Runs in the page. The addresses of the scripts of the editor that are kept with what a page has compiled of them. */
async function compiledParts(): Promise<string[]> {
  const names = (await caches.keys()).filter((name) => name.startsWith('boxyard-editor-'))
  const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
  return requests.flat().flatMap(({ url }) => (url.endsWith('.part.js?compiled') ? [url.replace('?compiled', '')] : []))
}

interface Compiled {
  url?: string
  /** Bytes of compiled code that the browser had. */
  consumedCacheSize?: number
  cacheRejected?: boolean
}

/** What the browser tells of each script that it compiles while `visit` lasts, by address. */
async function scriptsCompiledIn(page: Page, visit: () => Promise<void>): Promise<Map<string, Compiled>> {
  const tools = await page.context().newCDPSession(page)
  const compiled = new Map<string, Compiled>()
  tools.on('Tracing.dataCollected', ({ value }) => {
    for (const { name, args } of value as unknown as { name: string; args: { data?: Compiled } }[])
      if (name === 'v8.compile' && args.data?.url !== undefined) compiled.set(args.data.url, args.data)
  })
  await tools.send('Tracing.start', { categories: 'devtools.timeline,v8', transferMode: 'ReportEvents' })
  await visit()
  const complete = new Promise((resolve) => tools.once('Tracing.tracingComplete', resolve))
  await tools.send('Tracing.end')
  await complete
  return compiled
}

/** Runs in the page. Which was first there: the text, or a request for a script of the app. Undefined until both were. */
function firstOfTextAndApp(): string | undefined {
  const isScript = ({ name }: PerformanceEntry) => /\/assets\/[^/]+\.js$/.test(name)
  const app = performance.getEntriesByType('resource').find(isScript)
  const text = performance.getEntriesByName('text')[0]
  return app && text && (text.startTime < app.startTime ? 'the text' : 'the app')
}

/** Writes a file of the box, from outside of any page. */
async function writeInBox(path: string, text: string): Promise<void> {
  const box = (await call('POST', `/api/vm/${id}/start`, {})) as Record<
    'id' | 'pitcher_url' | 'pitcher_token' | 'workspace_path',
    string
  >
  const client = new DevServerClient({
    appId: 'test',
    resolveInstance: async () => ({
      id: box.id,
      url: box.pitcher_url,
      token: box.pitcher_token,
      workspacePath: box.workspace_path,
      bootType: 'RUNNING',
    }),
    createSocket: (address) => {
      const to = new URL(address)
      const { host } = to
      to.hostname = '127.0.0.1'
      return new WebSocket(to, { headers: { host } })
    },
  })
  await client.connect()
  await client.fs.mkdir(join(box.workspace_path, path, '..'), { recursive: true })
  await client.fs.writeFile(join(box.workspace_path, path), new TextEncoder().encode(text), {
    create: true,
    overwrite: true,
  })
  client.dispose()
}

it('WB1070, WB1071, WB1090: the dashboard has the page of the latest devbox ready, which asks nothing of the box before the click', async () => {
  await writeInBox('.vscode/settings.json', '{ "editor.lineNumbers": "off" }')
  // Drivers that hold on to a page in place of its tab keep the browser from making any ahead.
  const plain = await PlainBrowser.start(['--disable-3d-apis'])
  try {
    await administrator.signIn({ addCookies: (cookies) => plain.addCookies(server.address, cookies) })
    const page = await plain.newPage(join(import.meta.dirname, 'watchAhead.js'))
    const lines = `document.querySelector('.editor-instance .view-lines')?.innerText.replaceAll('\\u00a0', ' ')`
    const first = `document.querySelector('[data-first-text]') !== null`
    const address = `/devbox/${id}`
    await page.goto(`${server.address}${address}?file=index.html`)
    await expect.poll(() => page.evaluate(lines), POLL).toContain('<html')
    await expect.poll(() => page.evaluate(`!(${first}) && document.cookie.includes('boxyard.place')`), POLL).toBe(true)

    await page.goto(`${server.address}/dashboard/recent`)
    await expect.poll(() => page.evaluate('window.noted.ready'), POLL).toEqual([address])
    await expect.poll(() => page.evaluate('window.noted.drawn.length'), POLL).toBe(1)
    expect(await page.evaluate('[document.title, document.querySelector(".monaco-workbench")]')).toEqual([
      'Boxyard',
      null,
    ])
    await page.evaluate(`document.querySelector('a[href="${address}"]').click()`)
    await untilAt(page, address)
    expect(await page.evaluate(`performance.getEntriesByType('navigation')[0].activationStart`)).toBeGreaterThan(0)
    await expect.poll(() => page.evaluate(`!(${first}) && ${lines}`), POLL).toContain('<html')

    const asked = await page.evaluate<{ address: string; isAhead: boolean }[]>('window.noted.asked')
    const ofBox = asked.filter(({ address }) => /\/start\b|\/box\//.test(address))
    expect(ofBox.map(({ isAhead }) => isAhead)).toEqual([false, false])
    const before = await textInBox()
    await page.press('Home', { control: true })
    await page.type('<!-- typed at once -->')
    await expect.poll(textInBox, POLL).toBe(`<!-- typed at once -->${before}`)
    // What the workspace sets came with the box.
    await expect.poll(() => page.evaluate(`document.querySelectorAll('.line-numbers').length`), POLL).toBe(0)
  } finally {
    await plain.close()
  }
})

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { BrowserContext, FrameLocator, Locator, Page } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { caretAfter } from '../support/caretAfter.ts'
import { openBrowser } from '../support/browser.ts'
import { accessibilityFaults } from '../support/accessibilityFaults.ts'
import { createAccount } from '../support/createAccount.ts'
import { beginStory, repository } from '../support/story.ts'
import { PREVIEW_FRAME } from '../support/previewFrame.ts'

// What somebody does with a sandbox that is not theirs. The tests are steps of one story and build on each other.

const { story, step } = beginStory('sandbox-visitors')
let elsewhere: BrowserContext
let visitor: Page
let original = ''
let anonymous: BrowserContext
const sites: Server[] = []
afterAll(async () => {
  await elsewhere?.close()
  await anonymous?.close()
  for (const site of sites) site.close()
})

const preview = (window: Page): FrameLocator => window.frameLocator(PREVIEW_FRAME).first()
const editor = (window: Page): Locator => window.locator('.editor-instance .monaco-editor').first()
const picture = (name: string) => ({ path: join(repository, 'test-results', `sandbox-visitors-${name}.png`) })

async function openFile(window: Page, name: string): Promise<void> {
  await window.getByRole('treeitem', { name, exact: true }).dblclick()
  await window
    .getByRole('tab', { name: new RegExp(name), selected: true })
    .first()
    .waitFor()
}

/** Puts the caret behind the first place where `text` stands in the open file. */
async function putCaretAfter(window: Page, text: string): Promise<void> {
  await editor(window).locator('.view-lines').click()
  await caretAfter(window, text)
}

const stored = (window: Page, id: string): Promise<string> =>
  window.evaluate(async (sandboxId) => (await fetch(`/api/v1/sandboxes/${sandboxId}`)).text(), id)

step('somebody makes a public sandbox', async () => {
  const { page, server } = story
  await createAccount(page, server.address, 'ada')
  original = await page.evaluate(async () => {
    const answer = await fetch('/api/v1/sandboxes/static/fork', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ v2: false, privacy: 0, title: 'Ada shows HTML' }),
    })
    return ((await answer.json()) as { data: { id: string } }).data.id
  })
  expect(original).toMatch(/^\w+$/)
})

step('a visitor sees it, may not type, and is told how to', async () => {
  elsewhere = await openBrowser()
  visitor = elsewhere.pages()[0]!
  visitor.on('console', (message) => story.said.push(`visitor ${message.type()}: ${message.text()}`))
  await visitor.goto(`${story.server.address}/sandbox/${original}`)
  await preview(visitor).getByRole('heading', { name: 'Hello HTML' }).waitFor()
  await openFile(visitor, 'index.html')
  await putCaretAfter(visitor, 'Hello HTML')
  await visitor.keyboard.type(' by nobody')
  expect(await editor(visitor).locator('.view-lines').innerText()).not.toContain('nobody')
  await visitor.getByRole('button', { name: 'Sign in to edit' }).waitFor()
  await visitor.screenshot(picture('visitor'))
})

step('who has an account types at once, and every character is in a copy of their own', async () => {
  await createAccount(visitor, story.server.address, 'grace')
  await visitor.goto(`${story.server.address}/sandbox/${original}`)
  await preview(visitor).getByRole('heading', { name: 'Hello HTML' }).waitFor()
  await openFile(visitor, 'index.html')
  await putCaretAfter(visitor, 'Hello HTML')
  const typed = ' by grace, who types without a pause while her copy is made'
  await visitor.keyboard.type(typed)
  await visitor.getByText('We forked this Sandbox to your Drafts, so that you can edit it').waitFor()
  await visitor.waitForURL((url) => !url.pathname.endsWith(original))
  const copy = new URL(visitor.url()).pathname.split('/').at(-1)!
  await visitor.screenshot(picture('forked'))
  await preview(visitor)
    .getByRole('heading', { name: `Hello HTML${typed}` })
    .waitFor()
  expect(await visitor.locator(PREVIEW_FRAME).first().getAttribute('src')).toContain(`//${copy}-8080.`)
  await visitor.keyboard.press('Control+s')
  await visitor.locator('header').getByText('Saved', { exact: true }).waitFor()
  expect(await stored(visitor, copy)).toContain(`Hello HTML${typed}`)
  expect(await stored(visitor, original)).not.toContain('grace, who types')
})

step('the copy is there when the page is loaded again, and is not forked once more', async () => {
  const address = visitor.url()
  await visitor.reload()
  await preview(visitor)
    .getByRole('heading', { name: /by grace, who types/ })
    .waitFor()
  await openFile(visitor, 'index.html')
  await putCaretAfter(visitor, 'her copy is made')
  await visitor.keyboard.type('!')
  await preview(visitor)
    .getByRole('heading', { name: /is made!/ })
    .waitFor()
  expect(visitor.url()).toBe(address)
})

step('AP940, AP945: an address asks for a copy, and none is made before the person says so', async () => {
  // It is found at the other kind of address too, with everything that is said there.
  await visitor.goto(`${story.server.address}/devbox/${original}?fork=true&privacy=1&sidebar=search`)
  await visitor.getByRole('heading', { name: 'Fork this sandbox?' }).waitFor()
  await visitor.getByText(/“Ada shows HTML” of your own among your drafts.*everyone who has the link/).waitFor()
  await visitor.screenshot(picture('asked-to-fork'))
  // Nothing of the original lies over it.
  await visitor.getByRole('button', { name: 'Open the original' }).click({ trial: true })
  await visitor.getByRole('button', { name: 'Fork it' }).click()
  await visitor.getByText('We forked this Sandbox to your Drafts, so that you can edit it').waitFor()
  const { pathname, search } = new URL(visitor.url())
  const copy = pathname.split('/').at(-1)!
  expect([pathname, search]).toEqual([`/sandbox/${copy}`, '?sidebar=search'])
  expect(copy).not.toBe(original)
  expect(JSON.parse(await stored(visitor, copy))).toMatchObject({ data: { privacy: 1 } })
})

/** A page of another site with a frame in it. */
async function framing(address: string, size: { width: number; height: number }): Promise<Page> {
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(
      `<body style="margin: 0"><iframe src="${address}" style="width: 100%; height: 100vh; border: 0"></iframe>`,
    )
  }).listen(0, '127.0.0.1')
  sites.push(site)
  await once(site, 'listening')
  const page = await anonymous.newPage()
  page.on('console', (message) => story.said.push(`elsewhere ${message.type()}: ${message.text()}`))
  await page.setViewportSize(size)
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
  return page
}
const embed = (window: Page): FrameLocator => window.frameLocator('iframe').first()
const embedPreview = (window: Page): FrameLocator => embed(window).frameLocator('iframe')

step('the dialog of the editor gives an address and a frame', async () => {
  const { page, server } = story
  await page.goto(`${server.address}/sandbox/${original}`)
  await page.getByRole('treeitem', { name: 'index.html', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Embed', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Embed' })
  await dialog.getByLabel('File to begin with').fill('index.html')
  await dialog.getByLabel('Nobody can type into it').click()
  const address = await dialog.getByLabel('Address', { exact: true }).inputValue()
  expect(address).toBe(`${server.address}/embed/${original}?file=index.html&readonly=1`)
  expect(await dialog.getByLabel('For your page').inputValue()).toContain('title="Ada shows HTML"')
  await page.screenshot(picture('dialog-dark'))
  await page.setViewportSize({ width: 374, height: 800 })
  await page.evaluate(() => (document.documentElement.dataset['theme'] = 'light'))
  await page.screenshot(picture('dialog-light-374'))
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.keyboard.press('Escape')
})

step('a page of another site shows it to somebody without an account, who may try things out', async () => {
  anonymous = await openBrowser()
  const window = await framing(`${story.server.address}/embed/${original}?file=index.html&theme=dark`, {
    width: 1440,
    height: 600,
  })
  await embedPreview(window).getByRole('heading', { name: 'Hello HTML' }).waitFor()
  const text = embed(window).getByRole('textbox', { name: 'Text of index.html' })
  await text.getByText('Hello HTML').click()
  await window.keyboard.press('End')
  for (let at = 0; at < '</h1>'.length; at += 1) await window.keyboard.press('ArrowLeft')
  await window.keyboard.type(' by somebody')
  await embedPreview(window).getByRole('heading', { name: 'Hello HTML by somebody' }).waitFor()
  await embed(window).getByText('What you type stays in this page').waitFor()
  await window.screenshot(picture('embed-dark'))
  expect(await stored(story.page, original)).not.toContain('by somebody')
  const link = embed(window).getByRole('link', { name: 'Open in Boxyard' })
  expect(await link.getAttribute('href')).toBe(`/sandbox/${original}?file=index.html`)
  await embed(window).getByRole('button', { name: 'Code', exact: true }).click()
  await embed(window).getByLabel('File', { exact: true }).selectOption('styles.css')
  await embed(window).getByRole('textbox', { name: 'Text of styles.css' }).waitFor()
  await window.close()
})

step('it is shown in light, on a phone, read-only, and as a preview alone', async () => {
  const { server } = story
  const address = `${server.address}/embed/${original}`
  const phone = await framing(`${address}?file=index.html&theme=light&readonly`, { width: 374, height: 700 })
  await embedPreview(phone).getByRole('heading', { name: 'Hello HTML' }).waitFor()
  await embed(phone).getByRole('textbox', { name: 'Text of index.html' }).getByText('Hello HTML').click()
  await phone.keyboard.type('typed')
  expect(await embed(phone).getByRole('textbox', { name: 'Text of index.html' }).innerText()).not.toContain('typed')
  await phone.screenshot(picture('embed-light-374'))
  await phone.close()
  const alone = await framing(`${address}?view=preview&hidenavigation=1&runonclick=1&theme=light`, {
    width: 800,
    height: 400,
  })
  await embed(alone).getByRole('button', { name: 'Run the preview' }).click()
  await embedPreview(alone).getByRole('heading', { name: 'Hello HTML' }).waitFor()
  expect(await embed(alone).getByLabel('Path of the preview').count()).toBe(0)
  await alone.screenshot(picture('embed-preview-light'))
  await alone.close()
})

step('it can be used by keyboard alone, and without seeing it', async () => {
  const window = await anonymous.newPage()
  await window.setViewportSize({ width: 1024, height: 600 })
  for (const theme of ['dark', 'light']) {
    await window.goto(`${story.server.address}/embed/${original}?file=index.html&theme=${theme}`)
    await window.locator('.cm-line span[class]').first().waitFor()
    await window.frameLocator('iframe').getByRole('heading', { name: 'Hello HTML' }).waitFor()
    expect(await accessibilityFaults(window), theme).toEqual([])
  }
  const focused = () =>
    window.evaluate(() => {
      const { activeElement: at } = document
      return at?.getAttribute('aria-label') ?? at?.getAttribute('title') ?? at?.textContent
    })
  const reached: (string | null | undefined)[] = []
  // Into the code and out of it again: whoever has no mouse is not caught there.
  while (reached.length < 20 && !reached.includes('New tab')) {
    await window.keyboard.press('Tab')
    reached.push(await focused())
  }
  expect(reached).toEqual(expect.arrayContaining(['File', 'Code', 'Both', 'Preview', 'Open in Boxyard']))
  expect(reached.indexOf('Text of index.html')).toBeGreaterThan(reached.indexOf('Open in Boxyard'))
  expect(reached.at(-1)).toBe('New tab')
  await window.close()
})

step('other pages of the app can not be framed, and what is private is not shown even to its owner', async () => {
  const { page, server } = story
  const hidden = await page.evaluate(async () => {
    const answer = await fetch('/api/v1/sandboxes/static/fork', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ v2: false, privacy: 2 }),
    })
    return ((await answer.json()) as { data: { id: string } }).data.id
  })
  await page.goto(`${server.address}/embed/${hidden}`)
  await page.getByRole('alert').getByText('not public').waitFor()
  await page.screenshot(picture('embed-private'))
  const refused = anonymous.waitForEvent('console', (message) => message.text().includes('frame-ancestors'))
  await framing(`${server.address}/sandbox/${original}`, { width: 800, height: 600 })
  await refused
})

step('an embed that shows a preview fetches little', async () => {
  const window = await anonymous.newPage()
  const session = await anonymous.newCDPSession(window)
  await session.send('Network.enable')
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await window.goto(`${story.server.address}/embed/${original}?view=editor&file=index.html`)
  await window.locator('.cm-line span[class]').first().waitFor()
  console.log(`The page of an embed with colored code: ${Math.round(bytes / 1024)} KB`)
  expect(bytes).toBeLessThan(250 * 1024)
  await window.close()
})

/** A sandbox of these files that everybody with its address may see. */
const define = (files: Record<string, { content: string | object }>): Promise<string> =>
  story.page.evaluate(async (given) => {
    const json = { 'content-type': 'application/json' }
    const body = JSON.stringify({ files: given })
    const made = await fetch('/api/v1/sandboxes/define?json=1', { method: 'POST', headers: json, body })
    const { sandbox_id: id } = (await made.json()) as { sandbox_id: string }
    const privacy = JSON.stringify({ sandbox: { privacy: 1 } })
    await fetch(`/api/v1/sandboxes/${id}/privacy`, { method: 'PATCH', headers: json, body: privacy })
    return id
  }, files)

const moduleOf = (script: string) => ({
  content: `<div id="root"><h1>Hello Sass</h1></div><script type="module" src="${script}"></script>`,
})

step('Sass is compiled by what the project brings, and follows an edit of a part', async () => {
  const id = await define({
    'package.json': { content: { devDependencies: { sass: '1.108.2' } } },
    'index.html': moduleOf('/main.js'),
    'main.js': { content: "import './style.scss'" },
    'style.scss': { content: "@use 'colors';\n#root { h1 { color: colors.$main } }\n" },
    '_colors.scss': { content: '$main: rgb(1, 2, 3);\n' },
  })
  const window = await framing(`${story.server.address}/embed/${id}?file=_colors.scss`, { width: 1440, height: 600 })
  const heading = embedPreview(window).getByRole('heading', { name: 'Hello Sass' })
  await heading.waitFor()
  const color = () => heading.evaluate((element) => getComputedStyle(element).color)
  await expect.poll(color, { timeout: 60_000 }).toBe('rgb(1, 2, 3)')
  const text = embed(window).getByRole('textbox', { name: 'Text of _colors.scss' })
  await text.getByText('$main').click()
  await window.keyboard.press('Control+a')
  await window.keyboard.type('$main: rgb(9, 8, 7);')
  await expect.poll(color, { timeout: 60_000 }).toBe('rgb(9, 8, 7)')
  await window.close()
})

step('MDX is compiled by what the project brings', async () => {
  const id = await define({
    'package.json': { content: { dependencies: { preact: '11.2.0', '@mdx-js/mdx': '3.1.1' } } },
    'index.html': moduleOf('/main.jsx'),
    'main.jsx': {
      content: "import { render } from 'preact'\nimport Page from './page.mdx'\nrender(<Page />, document.body)",
    },
    'page.mdx': { content: '# Hello {6 * 7} &amp; more\n' },
  })
  const window = await framing(`${story.server.address}/embed/${id}?file=page.mdx`, { width: 1440, height: 600 })
  await embedPreview(window).getByRole('heading', { name: 'Hello 42 & more' }).waitFor()
  await window.close()
})

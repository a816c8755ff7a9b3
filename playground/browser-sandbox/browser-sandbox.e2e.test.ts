import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { BrowserContext, Frame, FrameLocator, Locator, Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { ZipFile } from 'yazl'
import { caretAfter } from '../support/caretAfter.ts'
import { createAccount } from '../support/createAccount.ts'
import type { RunningServer } from '../support/server.ts'
import { isPreview, PREVIEW_FRAME } from '../support/previewFrame.ts'
import { beginStory, repository } from '../support/story.ts'

// A sandbox without a machine, from its template to a reload. The tests are steps of one story and build on each other.

const { story, step: it } = beginStory('browser-sandbox')
let folder: string
let server: RunningServer
let browser: BrowserContext
let page: Page
beforeAll(() => {
  ;({ folder, server, browser, page } = story)
})

const preview = (window: Page): FrameLocator => window.frameLocator(PREVIEW_FRAME).first()
const editor = (window: Page): Locator => window.locator('.editor-instance .monaco-editor').first()

async function create(window: Page, template: RegExp): Promise<void> {
  await window.goto(`${server.address}/dashboard/recent?create=true`)
  await window.getByRole('option', { name: template }).click()
  await window.getByLabel('Runs').click()
  await window.getByRole('option', { name: 'In your browser' }).click()
  await window.getByRole('button', { name: /^Create from/ }).click()
  await window.waitForURL('**/sandbox/*')
}

async function openFile(window: Page, name: string): Promise<void> {
  await window.getByRole('treeitem', { name: 'package.json', exact: true }).waitFor()
  await window.keyboard.press('Control+p')
  await window.locator('.quick-input-widget input').fill(name)
  await window.locator('.quick-input-list .monaco-list-row').filter({ hasText: name }).first().waitFor()
  await window.keyboard.press('Enter')
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

it('signs in', () => createAccount(page, server.address, 'ada'))

it('creates a React sandbox and shows its preview beside the code, without a machine', async () => {
  await create(page, /React \(Vite, TypeScript\)/)
  await page.getByRole('treeitem', { name: 'package.json', exact: true }).waitFor()
  await preview(page).getByRole('heading', { name: 'Hello React' }).waitFor()
  await page.getByText('Runs in your browser').waitFor()
})

it('WB1066: says in source control why there is none, and offers a devbox', async () => {
  await page.getByRole('tab', { name: /^Source Control/ }).click()
  await page.getByText('where there is no git').waitFor()
  await page.getByRole('button', { name: 'Convert to devbox' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('devbox').first().waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('tab', { name: /^Explorer/ }).click()
})

it('takes in an edit with the state of the page kept', async () => {
  await openFile(page, 'App.tsx')
  const count = preview(page).getByRole('button', { name: /Count is/ })
  await count.click()
  await count.click()
  await putCaretAfter(page, 'Hello React')
  await page.keyboard.type(' and Boxyard')
  await preview(page).getByRole('heading', { name: 'Hello React and Boxyard' }).waitFor()
  expect(await count.innerText()).toBe('Count is 2')
})

it('keeps what was typed and not saved through a reload, and what was saved', async () => {
  await page.reload()
  await preview(page).getByRole('heading', { name: 'Hello React and Boxyard' }).waitFor()
  await openFile(page, 'App.tsx')
  await page.keyboard.press('Control+s')
  await page.locator('header').getByText('Saved', { exact: true }).waitFor()
  const stored = await page.evaluate(async () => {
    const id = location.pathname.split('/').at(-1)
    return (await fetch(`/api/v1/sandboxes/${id}`)).text()
  })
  expect(stored).toContain('Hello React and Boxyard')
})

it('shows a mistake over the page, and goes on when it is corrected', async () => {
  await putCaretAfter(page, 'Boxyard')
  await page.keyboard.type('<')
  const problem = preview(page).getByRole('alert')
  const open = problem.getByRole('button', { name: /^Open src\/App\.tsx:\d+$/ })
  await open.waitFor()
  const line = /\d+$/.exec(await open.innerText())![0]
  await openFile(page, 'main.tsx')
  await open.click()
  await page.getByRole('tab', { name: /App\.tsx/, selected: true }).waitFor()
  await editor(page).locator('.active-line-number', { hasText: line }).waitFor()
  await putCaretAfter(page, 'Boxyard<')
  await page.keyboard.press('Backspace')
  await preview(page).getByRole('alert').waitFor({ state: 'detached' })
  await preview(page).getByRole('heading', { name: 'Hello React and Boxyard' }).waitFor()
})

const frameOf = (window: Page): Frame => window.frames().find((one) => isPreview(one.url()))!

it('WB1077: has the console of the page beside it, and its address, which follows a router and goes back and forward', async () => {
  const frame = frameOf(page)
  await frame.evaluate(() => {
    console.error(new Error('not good'))
    const show = () => (document.body.dataset['route'] = location.pathname + location.search)
    addEventListener('popstate', show)
    for (const path of ['/one', '/two?x=1']) history.pushState({}, '', path)
    show()
  })
  await page.getByRole('button', { name: /^Console: 2 errors/ }).click()
  const lines = page.getByRole('log', { name: 'Lines of the console' })
  await lines.getByText('Error: not good').waitFor()
  // What stood over the page before.
  await lines.getByRole('button', { name: /^src\/App\.tsx:\d+$/ }).waitFor()
  const path = page.getByLabel('Path', { exact: true })
  const isAt = (address: string) => expect.poll(() => path.inputValue()).toBe(address)
  const route = (address: string) => preview(page).locator(`body[data-route="${address}"]`).waitFor()
  await isAt('/two?x=1')
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await isAt('/one')
  await route('/one')
  await page.getByRole('button', { name: 'Forward', exact: true }).click()
  await isAt('/two?x=1')
  await route('/two?x=1')
  // The page itself is the one of before until it is reloaded, at the address that the router has shown.
  await page.getByRole('button', { name: 'Reload the preview' }).click()
  await page.getByText('The page has said nothing yet.').waitFor()
  await preview(page)
    .locator('body:not([data-route])')
    .getByRole('heading', { name: 'Hello React and Boxyard' })
    .waitFor()
  await isAt('/two?x=1')
  await path.fill('/typed')
  await page.keyboard.press('Enter')
  await isAt('/typed')
  await expect.poll(() => new URL(frameOf(page).url()).pathname).toBe('/typed')
  await preview(page).getByRole('heading', { name: 'Hello React and Boxyard' }).waitFor()
  await page.getByRole('button', { name: /^Console/ }).click()
})

it('BB980, BB981, BB982: goes on editing while the page of the preview says very much, and what is not agreed', async () => {
  await openFile(page, 'main.tsx')
  await frameOf(page).evaluate(async () => {
    // What the runner has is in reach of whatever runs beside it.
    const post = MessagePort.prototype.postMessage
    const port = await new Promise<MessagePort>((resolve) => {
      MessagePort.prototype.postMessage = function (this: MessagePort, ...given: [unknown]) {
        resolve(this)
        return post.apply(this, given as never)
      } as typeof post
      console.log('here')
    })
    MessagePort.prototype.postMessage = post
    const pane = (message: unknown) => window.parent.postMessage({ boxyard: 'preview', message }, '*')
    const large = 'x'.repeat(30_000_000)
    port.postMessage({ type: 'console', level: 'log', text: large })
    pane({ type: 'console', level: 'log', values: [{ kind: 'text', text: large }] })
    pane({ type: 'console', level: 'log', values: Array.from({ length: 200_000 }, () => ({ kind: 'text', text: '' })) })
    for (const file of ['/../secret', '/src/none.tsx', 'src/App.tsx'])
      port.postMessage({ type: 'open', file, line: 1, column: 1 })
    port.postMessage({ type: 'address', path: '//elsewhere.example/' })
    for (let time = 0; time < 20_000; time += 1) {
      port.postMessage({ type: 'console', level: 'log', text: `flood ${time}` })
      pane({ type: 'console', level: 'log', values: [{ kind: 'text', text: `flood ${time}` }] })
      window.parent.postMessage({ type: 'boxyard:preview-hello', path: '//elsewhere.example/' }, '*')
    }
  })
  await openFile(page, 'App.tsx')
  await putCaretAfter(page, 'Hello React and Boxyard')
  await page.keyboard.type('!')
  await preview(page).getByRole('heading', { name: 'Hello React and Boxyard!' }).waitFor()
  await page.keyboard.press('Backspace')
  await preview(page).getByRole('heading', { name: 'Hello React and Boxyard', exact: true }).waitFor()
  await page.getByRole('tab', { name: /App\.tsx/, selected: true }).waitFor()
  expect(await page.getByRole('tab', { name: /secret|none/ }).count()).toBe(0)
})

it('shows the saved preview in a tab of its own', async () => {
  const href = await page.getByRole('link', { name: 'Open the preview in a new tab' }).getAttribute('href')
  const tab = await browser.newPage()
  await tab.goto(href!)
  await tab.getByRole('heading', { name: 'Hello React and Boxyard' }).waitFor()
  await tab.close()
})

it('BB985: keeps the page of a preview away from the app, from what a person has there, and from other previews', async () => {
  const frame = frameOf(page)
  const app = new URL(server.address).origin
  const seen = await frame.evaluate(async (origin) => {
    const attempt = async (work: () => unknown) => {
      try {
        return String(await work())
      } catch (error) {
        return (error as Error).name
      }
    }
    return {
      document: await attempt(() => window.parent.document.title),
      storage: await attempt(() => window.parent.localStorage.length),
      cookies: await attempt(() => document.cookie.includes('session')),
      user: await attempt(
        async () => (await fetch(`${origin}/api/v1/users/current`, { credentials: 'include' })).status,
      ),
      change: await attempt(async () => {
        await fetch(`${origin}/api/v1/users/signout`, { method: 'DELETE', credentials: 'include' })
        return 'sent'
      }),
      worker: await attempt(() => navigator.serviceWorker.register(`${origin}/assets/x.js`)),
      scope: await attempt(() => navigator.serviceWorker.register('/__boxyard/keep.js', { scope: `${origin}/` })),
    }
  }, app)
  expect(seen).toEqual({
    document: 'SecurityError',
    storage: 'SecurityError',
    cookies: 'false',
    user: 'TypeError',
    change: 'TypeError',
    worker: 'SecurityError',
    scope: 'SecurityError',
  })
  // What a preview may write down for the whole site is not taken for what the app has written down.
  const jar = await frame.evaluate(
    (base) => {
      localStorage.setItem('mine', 'of one preview')
      document.cookie = 'mine=1; path=/'
      const everywhere = `domain=${base}; path=/`
      for (const value of ['boxyard_session=forged', '__Host-boxyard_session=forged', '__host-boxyard_session=forged'])
        for (const more of ['', '; secure']) document.cookie = `${value}; ${everywhere}${more}`
      document.cookie = `=__Host-boxyard_session=forged; ${everywhere}; secure`
      for (const path of ['/', '/sandbox', '/api', '/api/v1/users'])
        document.cookie = `signedIn=false; domain=${base}; path=${path}`
      return document.cookie
    },
    new URL(app).hostname.replace(/^app\./, ''),
  )
  expect(jar).toContain('boxyard_session=forged')
  const me = await page.evaluate(async () => {
    const answer = await fetch('/api/v1/users/current')
    return [answer.status, (await answer.json()).data.username]
  })
  expect(me).toEqual([200, 'ada'])
  const id = await page.evaluate(async () => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ v2: false })
    const answer = await fetch('/api/v1/sandboxes/static/fork', { method: 'POST', headers, body })
    return (await answer.json()).data.id
  })
  const tab = await browser.newPage()
  await tab.goto(`${server.address}/sandbox/${id}`)
  await preview(tab).getByRole('heading', { name: 'Hello HTML' }).waitFor()
  const first = new URL(frame.url()).origin
  const other = await frameOf(tab).evaluate(async (origin) => {
    // Inside the other preview: its page in a frame, which is there, and shut.
    const inner = document.createElement('iframe')
    inner.src = origin
    document.body.append(inner)
    await new Promise((resolve) => inner.addEventListener('load', resolve, { once: true }))
    const attempt = (work: () => unknown) => {
      try {
        return String(work())
      } catch (error) {
        return (error as Error).name
      }
    }
    return {
      storage: localStorage.getItem('mine'),
      cookie: /(?:^|; )mine=/.test(document.cookie),
      dom: attempt(() => inner.contentWindow!.document.title),
      itsStorage: attempt(() => inner.contentWindow!.localStorage.length),
      code: await fetch(`${origin}/__boxyard/sandbox`, { credentials: 'include' }).then(
        () => 'read',
        (error: Error) => error.name,
      ),
    }
  }, first)
  expect(other).toEqual({
    storage: null,
    cookie: false,
    dom: 'SecurityError',
    itsStorage: 'SecurityError',
    code: 'TypeError',
  })
  // The app is as signed in as before, also when it begins anew.
  await tab.reload()
  await tab.getByRole('treeitem', { name: 'index.html', exact: true }).waitFor()
  expect(await tab.getByRole('button', { name: 'Sign in to edit' }).count()).toBe(0)
  await tab.close()
})

it('goes on editing while the page of the preview never ends, and shows it again when it does', async () => {
  await openFile(page, 'App.tsx')
  await putCaretAfter(page, 'export function App() {')
  // On a line of its own, which stays one when saving lays out the file.
  await page.keyboard.type('\nwhile (true) {}')
  await page.keyboard.press('Control+s')
  await page.locator('header').getByText('Saved', { exact: true }).waitFor()
  // The page does not answer anymore; the editor does.
  await openFile(page, 'main.tsx')
  await openFile(page, 'App.tsx')
  await putCaretAfter(page, 'while (true)')
  await page.keyboard.press('Control+Shift+k')
  await page.keyboard.press('Control+s')
  await page.locator('header').getByText('Saved', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Reload the preview' }).click()
  await preview(page).getByRole('heading', { name: 'Hello React and Boxyard' }).waitFor()
})

/** Writes a file of the open sandbox as another program would: `before` becomes `after`. */
async function change(window: Page, title: string, before: string, after: string): Promise<void> {
  await window.evaluate(
    async ([name, from, to]) => {
      const address = `/api/v1/sandboxes/${location.pathname.split('/').at(-1)}`
      const { data } = await (await fetch(address)).json()
      const file = data.modules.find((one: { title: string }) => one.title === name)
      if (!file.code.includes(from!)) throw new Error(`${name} does not say ${from}`)
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ code: file.code.replace(from, to) })
      const { status } = await fetch(`${address}/modules/${file.shortid}`, { method: 'PUT', headers, body })
      if (status !== 200) throw new Error(`${name} was not saved: ${status}`)
    },
    [title, before, after],
  )
}

/** Every other template: its name, what it says, where, and what of the page an edit leaves. */
const others = [
  [/^Static HTML/, 'Hello HTML', 'index.html', 'nothing'],
  [/^Vanilla JavaScript/, 'Hello JavaScript', 'main.js', 'count'],
  [/^Vanilla TypeScript/, 'Hello TypeScript', 'main.ts', 'count'],
  [/^React \(Vite\)/, 'Hello React', 'App.jsx', 'count'],
  [/^Vue/, 'Hello Vue', 'App.vue', 'count'],
  [/^Svelte/, 'Hello Svelte', 'App.svelte', 'page'],
  [/^Lit/, 'Hello Lit', 'HelloPage.ts', 'nothing'],
  [/^Preact/, 'Hello Preact', 'App.tsx', 'count'],
  [/^Solid/, 'Hello Solid', 'App.tsx', 'count'],
] as const
for (const [template, heading, file, kept] of others) {
  it(`opens the template ${template.source} and takes in an edit, which leaves of the page: ${kept}`, async () => {
    await create(page, template)
    await preview(page).getByRole('heading', { name: heading, exact: true }).waitFor()
    const frame = frameOf(page)
    await preview(page).getByRole('button', { name: 'Count is 0' }).click()
    await preview(page).getByRole('button', { name: 'Count is 1' }).waitFor()
    await frame.evaluate(() => Object.assign(window, { isKept: true }))
    await change(page, file, heading, `${heading}, edited`)
    await preview(page)
      .getByRole('heading', { name: `${heading}, edited` })
      .waitFor()
    const isKept = await frame.evaluate(() => 'isKept' in window)
    const count = await preview(page)
      .getByRole('button', { name: /^Count is/ })
      .innerText()
    expect([isKept, count]).toEqual([kept !== 'nothing', kept === 'count' ? 'Count is 1' : 'Count is 0'])
  })
}

it('BB901, BB951: shows the preview before the app and the editor, which takes it over as it is', async () => {
  await page.addInitScript(() => {
    const watch = new MutationObserver(() => {
      if (!document.querySelector('iframe')) return
      performance.mark('frame')
      watch.disconnect()
    })
    watch.observe(document, { childList: true, subtree: true })
  })
  await page.reload({ waitUntil: 'commit' })
  await preview(page)
    .getByRole('heading', { name: /Hello Solid/ })
    .waitFor()
  const frame = frameOf(page)
  const began = await frame.evaluate(() => performance.timeOrigin)
  // Milliseconds between the preview's frame in the page and the first call of the app.
  const ahead = () =>
    page.evaluate(() => {
      const [frame] = performance.getEntriesByName('frame')
      const calls = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/users/current'))
      return calls.map(({ startTime }) => startTime - (frame?.startTime ?? Infinity))[0]
    })
  await expect.poll(ahead, { timeout: 60_000 }).toBeGreaterThan(0)
  // The editor is there.
  await page.locator('.boxyard-preview-frame iframe').waitFor()
  await preview(page)
    .getByRole('heading', { name: /Hello Solid/ })
    .waitFor()
  const now = frameOf(page)
  expect(await now.evaluate(() => performance.timeOrigin)).toBe(began)
  expect(await page.locator(PREVIEW_FRAME).count()).toBe(1)
})

it('AP924: makes a project of a zip archive that is chosen, and says what is not in it', async () => {
  const archive = new ZipFile()
  archive.addBuffer(Buffer.from('<h1>Brought along</h1>'), 'site/index.html')
  archive.addBuffer(Buffer.from('elsewhere'), 'site/secrets', { mode: 0o120777 })
  archive.end()
  await page.goto(`${server.address}/dashboard/recent?create=true`)
  await page.getByLabel('Zip archive of a project').setInputFiles({
    name: 'site.zip',
    mimeType: 'application/zip',
    buffer: await buffer(archive.outputStream as Readable),
  })
  await page.getByText('secrets is a link').waitFor()
  await page.screenshot({ path: join(repository, 'test-results', 'brought-archive.png') })
  await page.getByRole('button', { name: 'Open it' }).click()
  await page.waitForURL('**/sandbox/*')
  await preview(page).getByRole('heading', { name: 'Brought along' }).waitFor()
})

it('AP936: makes a project of a folder that is dropped on the dashboard', async () => {
  const dropped = join(folder, 'dropped')
  await mkdir(join(dropped, 'node_modules', 'big'), { recursive: true })
  await mkdir(join(dropped, 'src'))
  await writeFile(join(dropped, 'node_modules', 'big', 'index.js'), '')
  await writeFile(join(dropped, 'index.html'), '<h1>Dropped</h1><script type="module" src="/src/useTitle.js"></script>')
  await writeFile(join(dropped, 'src', 'useTitle.js'), 'document.querySelector("h1").textContent += " here"')
  await page.goto(`${server.address}/dashboard/recent`)
  const tools = await page.context().newCDPSession(page)
  const data = { items: [], files: [dropped], dragOperationsMask: 1 }
  // What takes the drop comes with the list.
  const drag = async () => {
    for (const type of ['dragEnter', 'dragOver'] as const)
      await tools.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data })
    return page.getByText('Drop a folder or a zip archive').isVisible()
  }
  await expect.poll(drag, { timeout: 60_000 }).toBe(true)
  await page.screenshot({ path: join(repository, 'test-results', 'dropping.png') })
  await tools.send('Input.dispatchDragEvent', { type: 'drop', x: 400, y: 300, data })
  await page.waitForURL('**/sandbox/*')
  await preview(page).getByRole('heading', { name: 'Dropped here' }).waitFor()
})

it('BB961, BB962: shows what the server has compiled while nothing compiles yet, and then takes in edits', async () => {
  const address = `/api/v1/sandboxes/${new URL(page.url()).pathname.split('/').at(-1)}/compilation`
  const isPrepared = () => page.evaluate(async (asked) => (await fetch(asked)).ok, address)
  await expect.poll(isPrepared, { timeout: 60_000 }).toBe(true)
  const tools = await page.context().newCDPSession(page)
  await tools.send('Network.enable')
  await tools.send('Network.setBypassServiceWorker', { bypass: true })
  let letGo = () => undefined as void
  const held = new Promise<void>((resolve) => (letGo = resolve))
  let isAskedFor = false
  await page.route(/engineWorker/, async (route) => {
    isAskedFor = true
    await held
    await route.continue()
  })
  await page.reload({ waitUntil: 'commit' })
  await preview(page).getByRole('heading', { name: 'Dropped here' }).waitFor()
  const frame = frameOf(page)
  await frame.evaluate(() => Object.assign(window, { isKept: true }))
  await expect.poll(() => isAskedFor, { timeout: 60_000 }).toBe(true)
  letGo()
  await page.locator('.boxyard-preview-frame iframe').waitFor()
  await expect.poll(() => page.locator('header').innerText()).toContain('Runs in your browser')
  expect(await frame.evaluate(() => 'isKept' in window)).toBe(true)
  await change(page, 'useTitle.js', ' here', ' there')
  await preview(page).getByRole('heading', { name: 'Dropped there' }).waitFor()
})

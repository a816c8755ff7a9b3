import { join } from 'node:path'
import type { FrameLocator, Locator } from 'playwright-core'
import { expect } from 'vitest'
import { caretAfter } from '../support/caretAfter.ts'
import { createAccount } from '../support/createAccount.ts'
import { beginStory, repository } from '../support/story.ts'
import { PREVIEW_FRAME } from '../support/previewFrame.ts'

// Programs of a sandbox without a machine: a terminal, Node, and a server that its preview shows. The steps build on each other.

const { story, step: it } = beginStory('browser-programs')

const terminal = (): Locator => story.page.locator('.terminal-wrapper.active .xterm-rows').first()
const preview = (): FrameLocator => story.page.frameLocator(`${PREVIEW_FRAME}:visible`).first()
const editor = (): Locator => story.page.locator('.editor-instance .monaco-editor').first()
const picture = (name: string) =>
  story.page.screenshot({ path: join(repository, 'test-results', `browser-programs-${name}.png`) })

async function create(template: RegExp): Promise<void> {
  const { page, server } = story
  await page.goto(`${server.address}/dashboard/recent?create=true`)
  await page.getByRole('option', { name: template }).click()
  await page.getByLabel('Runs').click()
  await page.getByRole('option', { name: 'In your browser' }).click()
  await page.getByRole('button', { name: /^Create from/ }).click()
  await page.waitForURL('**/sandbox/*')
  await page.getByRole('treeitem', { name: 'package.json', exact: true }).waitFor()
}

async function openTerminal(): Promise<void> {
  const { page } = story
  await page.keyboard.press('Control+`')
  await page.locator('.terminal-wrapper.active .xterm').waitFor()
  await page.locator('.terminal-wrapper.active .xterm-helper-textarea').focus()
}

async function type(line: string): Promise<void> {
  await story.page.locator('.terminal-wrapper.active .xterm-helper-textarea').focus()
  await story.page.keyboard.type(line)
  await story.page.keyboard.press('Enter')
}

/** The terminal shows it; blanks at the ends of lines are what a terminal has. */
async function shows(text: RegExp): Promise<void> {
  await story.page.waitForFunction(
    ({ source, flags }) => {
      const rows = document.querySelector('.terminal-wrapper.active .xterm-rows')
      const shown = [...(rows?.children ?? [])].map((row) =>
        (row.textContent ?? '').replaceAll('\u00a0', ' ').trimEnd(),
      )
      return new RegExp(source, flags).test(shown.join('\n'))
    },
    { source: text.source, flags: text.flags },
  )
}

async function openFile(name: string): Promise<void> {
  const { page } = story
  await page.keyboard.press('Control+p')
  await page.locator('.quick-input-widget input').fill(name)
  await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: name }).first().waitFor()
  await page.keyboard.press('Enter')
  await page
    .getByRole('tab', { name: new RegExp(name), selected: true })
    .first()
    .waitFor()
}

it('runs Express, and its preview shows what it answers', async () => {
  const { page, server } = story
  await createAccount(page, server.address, 'ada')
  await create(/Node with Express/)
  await preview().getByRole('heading', { name: 'Hello Express' }).waitFor()
  await picture('express')
})

it('takes in an edit of the server when it is saved', async () => {
  const { page } = story
  await openFile('server.js')
  await editor().locator('.view-lines').click()
  await caretAfter(page, 'Hello Express')
  await page.keyboard.type(' again')
  await page.keyboard.press('Control+s')
  await page.locator('header').getByText('Saved', { exact: true }).waitFor()
  // The server starts again by itself; the page is asked for as a person does, until it is the new one.
  const heading = preview().getByRole('heading', { name: 'Hello Express again' })
  for (let tries = 0; tries < 20 && !(await heading.isVisible()); tries += 1) {
    await page.getByRole('button', { name: 'Reload the preview' }).click()
    await preview().getByRole('heading').waitFor()
  }
  await heading.waitFor()
})

it('runs a script in a terminal, with its output, its exit code and the files of the sandbox', async () => {
  await openTerminal()
  await type(
    `echo "const fs = require('fs'); fs.writeFileSync('made.txt', 'made by ' + process.argv[2]); console.log([1, { a: 'b' }], process.cwd()); process.exitCode = 3" > script.cjs`,
  )
  await type('node script.cjs ada; echo "status $?"')
  await shows(/\[ 1, \{ a: 'b' \} \] \/nodebox\nstatus 3/)
  await type('cat made.txt && ls')
  await shows(/made by ada\S*[\s\S]*made\.txt/)
  await story.page.getByRole('treeitem', { name: 'made.txt' }).waitFor()
  await picture('terminal')
})

it('asks its own server, pipes, and says what is not there', async () => {
  await type(
    `node -e "fetch('http://localhost:3000/api/time').then((r) => r.json()).then((a) => console.log(Object.keys(a)))" | cat`,
  )
  await shows(/\[ 'time' \]/)
  await type('git status')
  await shows(/git: not in browser mode/)
})

it('ends an endless loop with Ctrl-C, while everything else goes on', async () => {
  const { page } = story
  await type(`node -e "console.log('spin' + 'ning'); for (;;);"`)
  await shows(/spinning/)
  await page.getByRole('button', { name: 'Reload the preview' }).click()
  await preview().getByRole('heading', { name: 'Hello Express again' }).waitFor()
  await page.locator('.terminal-wrapper.active .xterm-helper-textarea').focus()
  await page.keyboard.press('Control+c')
  // What is typed before the prompt is there goes to the program that is being ended.
  await shows(/\^C\s*~ \$\s*$/)
  await type('echo back $((40 + 2))')
  await shows(/\nback 42/)
})

it('keeps programs away from the app and from what a person has there', async () => {
  const { page, server } = story
  const app = new URL(server.address).origin
  await type(
    `node -e "console.log('here', self.origin.includes('.preview.'), typeof document); fetch('${app}/api/v1/users/current', { credentials: 'include' }).then((r) => console.log('got', r.status), () => console.log('re' + 'fused'))"`,
  )
  await shows(/here true undefined\nrefused/)
  expect(await page.evaluate(async () => (await fetch('/api/v1/users/current')).status)).toBe(200)
})

/** Servers as their own documentation begins, each asked by itself. */
const frameworks = {
  http: `const s = require('http').createServer((q, r) => r.end('hello')); s.listen(4001, () => check(4001))`,
  express4: `const e = require('express4'); const a = e(); a.use(e.json()); a.get('/', (q, r) => r.send('hello')); a.post('/', (q, r) => r.json(q.body)); a.listen(4002, () => check(4002))`,
  express5: `const e = require('express'); const a = e(); a.use(e.json()); a.get('/', (q, r) => r.send('hello')); a.post('/', (q, r) => r.json(q.body)); a.listen(4003, () => check(4003))`,
  koa: `const K = require('koa'); const a = new K(); a.use((c) => { c.body = 'hello' }); a.listen(4004, () => check(4004))`,
  fastify: `const f = require('fastify')(); f.get('/', async () => 'hello'); f.post('/', async (q) => q.body); f.listen({ port: 4005 }).then(() => check(4005))`,
  ws: `const { WebSocketServer } = require('ws'); const s = require('http').createServer((q, r) => r.end('hello')); new WebSocketServer({ server: s }); s.listen(4006, () => check(4006))`,
}
const CHECK = `async function check(port) {
  const [got, sent] = [await fetch('http://localhost:' + port), await fetch('http://localhost:' + port, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' })]
  console.log('RESULT', process.argv[2], got.status, await got.text(), sent.status, (await sent.text()).slice(0, 20)); process.exit()
}
process.on('uncaughtException', (error) => { console.log('RESULT', process.argv[2], 'failed', error.stack); process.exit(1) })
`

it('runs the servers that people know', async () => {
  const { page } = story
  await type('clear')
  await type('npm install koa fastify ws express4@npm:express@4')
  await shows(/express4 \S+\s*~ \$\s*$/)
  const files = Object.entries(frameworks).map(([name, text]) => [`check-${name}.cjs`, CHECK + text] as const)
  await page.evaluate(async (all) => {
    const id = location.pathname.split('/').at(-1)
    for (const [title, code] of all) {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ title, code, is_binary: false })
      await fetch(`/api/v1/sandboxes/${id}/modules`, { method: 'POST', headers, body })
    }
  }, files)
  await type('clear')
  for (const [name, expected] of [
    ['http', '200 hello 200 hello'],
    ['express4', '200 hello 200 {"a":1}'],
    ['express5', '200 hello 200 {"a":1}'],
    ['koa', '200 hello 200 hello'],
    ['fastify', '200 hello 200 {"a":1}'],
    ['ws', '200 hello 200 hello'],
  ] as const) {
    await type(`node check-${name}.cjs ${name}`)
    await shows(new RegExp(`RESULT ${name} `))
    const shown = await terminal().innerText()
    expect(shown.replaceAll('\u00a0', ' ')).toContain(`RESULT ${name} ${expected}`)
  }
  await picture('frameworks')
})

/** A page that shows what its own server says over a WebSocket, and that it ended. */
const TALK = `const { WebSocketServer } = require('ws')
const page = '<!doctype html><body><script>const s = new WebSocket("ws://" + location.host + "/talk", ["words"]); const show = (t) => document.body.append(Object.assign(document.createElement("p"), { textContent: t })); s.onopen = () => s.send("from the page"); s.onmessage = (e) => show(s.protocol + ": " + e.data); s.onclose = () => show("closed " + (s instanceof WebSocket))</script>'
const server = require('http').createServer((q, r) => r.setHeader('content-type', 'text/html').end(page))
new WebSocketServer({ server }).on('connection', (socket, request) => socket.on('message', (data) => socket.send(request.url + ' got ' + data)))
server.listen(4010, () => console.log('talks'))`

it('lets a page open a WebSocket to its server, until that ends', async () => {
  const { page, browser } = story
  await page.evaluate(async (code) => {
    const id = location.pathname.split('/').at(-1)
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ title: 'talk.cjs', code, is_binary: false })
    await fetch(`/api/v1/sandboxes/${id}/modules`, { method: 'POST', headers, body })
  }, TALK)
  await type('clear')
  await type('node talk.cjs')
  await shows(/^talks$/m)
  const address = new URL(
    await page
      .locator(`${PREVIEW_FRAME}:visible`)
      .first()
      .evaluate((frame: HTMLIFrameElement) => frame.src),
  )
  const tab = await browser.newPage()
  await tab.goto(`${address.protocol}//${address.host.replace(/-\d+\./, '-4010.')}/`)
  // The port is reached a little after the server listens; from then on a service worker has this page.
  await tab.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await tab.reload()
  await tab.getByText('words: /talk got from the page').waitFor()
  await page.locator('.terminal-wrapper.active .xterm-helper-textarea').focus()
  await page.keyboard.press('Control+c')
  await tab.getByText('closed true').waitFor()
  await tab.close()
})

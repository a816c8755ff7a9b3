import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { get } from 'node:http'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { administratorOf, administratorToken } from '../support/administrator.ts'
import type { Administrator } from '../support/administrator.ts'
import { openBrowser } from '../support/browser.ts'
import { freePort, startServer } from '../support/server.ts'
import type { RunningServer } from '../support/server.ts'
import { repository } from '../support/story.ts'

// What people get to see when something that they did not mean goes wrong, and that nothing is lost by it.

const checkout = process.env['E2E_CHECKOUT'] ?? repository
const token = administratorToken()

const run = promisify(execFile)

let folder: string
/** The disks of all devboxes, small enough to be filled. Mounting needs a right that not every machine gives to its tests. */
let disks: string
let isDiskSmall: boolean
let port: number
let server: RunningServer
let administrator: Administrator
let browser: BrowserContext
let page: Page

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'boxyard-bad-input-'))
  disks = join(folder, 'home', 'boxes')
  await mkdir(disks, { recursive: true })
  isDiskSmall = await run('mount', ['-t', 'tmpfs', '-o', 'size=64m,mode=0700', 'tmpfs', disks]).then(
    () => true,
    () => false,
  )
  port = await freePort()
  server = await startServer(checkout, {
    BOXYARD_HOME: join(folder, 'home'),
    PORT: String(port),
    BOXYARD_ADMIN_TOKEN: token,
  })
  administrator = administratorOf(server, token)
  browser = await openBrowser()
  await administrator.signIn(browser)
  page = browser.pages()[0]!
})

afterEach((context) => {
  if (context.task.result?.state === 'fail') return picture('broken')
})

afterAll(async () => {
  await browser?.close()
  await server?.end('SIGTERM')
  if (isDiskSmall) await run('umount', [disks])
  await rm(folder, { recursive: true, force: true })
})

const call: Administrator['call'] = (...given) => administrator.call(...given)

/** A devbox with nothing but tasks, which has not run yet. */
async function devboxWithTasks(tasks: unknown): Promise<string> {
  const files = { 'README.md': '# Broken', '.codesandbox/tasks.json': JSON.stringify(tasks) }
  const answer = await fetch(`http://localhost:${port}/api/v1/sandboxes/define?json=1`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      environment: 'server',
      files: Object.fromEntries(Object.entries(files).map(([path, content]) => [path, { content }])),
    }),
  })
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { sandbox_id: string }).sandbox_id
}

const picture = (name: string) => page.screenshot({ path: join(repository, 'test-results', `bad-input-${name}.png`) })

it('says of an unknown id that nothing is there', async () => {
  await page.goto(`${server.address}/devbox/zzzzzz`)
  await page.getByRole('heading', { name: 'Devbox not found' }).waitFor()
  await page.goto(`${server.address}/sandbox/zzzzzz`)
  await page.getByRole('heading', { name: 'Sandbox not found' }).waitFor()
  await picture('unknown')
})

it('refuses wrong tokens, whatever they are asked for', async () => {
  const wrong = { authorization: `Bearer ${randomBytes(16).toString('hex')}` }
  for (const path of ['/api/v1/users/current', '/api/v1/auth/auth-token', '/csb/sdk/sandbox']) {
    const answer = await fetch(`http://localhost:${port}${path}`, { headers: wrong })
    expect([path, answer.status, await answer.text()]).toEqual([path, 401, expect.stringContaining('UNAUTHENTICATED')])
  }
})

it('does not start on a port that is in use, says so, and leaves nothing behind', async () => {
  const home = join(folder, 'second-home')
  await expect(startServer(checkout, { BOXYARD_HOME: home, PORT: String(port) })).rejects.toThrow(
    `Port ${port} is in use. Stop the other program or set PORT.`,
  )
  expect(await processesOf(home)).toEqual([])
})

it('shows why set-up failed and lets it be run again', async () => {
  const id = await devboxWithTasks({
    setupTasks: [{ name: 'Install', command: 'echo no such package >&2; exit 3' }],
    tasks: { dev: { name: 'Dev', command: 'sleep 1000', runAtStart: true, preview: { port: 8080 } } },
  })
  await page.goto(`${server.address}/devbox/${id}`)
  await page.getByRole('treeitem', { name: 'README.md', exact: true }).waitFor()
  await page.getByText('no such package').first().waitFor()
  await picture('setup')
  await page.getByRole('button', { name: 'Run this step again' }).first().waitFor()
})

it('shows the last words of a dev task that ends at once, beside a button that starts it', async () => {
  const id = await devboxWithTasks({
    setupTasks: [],
    tasks: { dev: { name: 'Dev', command: 'echo out of luck; exit 7', runAtStart: true, preview: { port: 8080 } } },
  })
  await page.goto(`${server.address}/devbox/${id}`)
  await page.getByRole('treeitem', { name: 'README.md', exact: true }).waitFor()
  await page.getByText('out of luck').first().waitFor()
  await picture('task')
  await page.getByRole('button', { name: 'Run the task' }).first().waitFor()
})

it('refuses a wrong token for the preview of a private devbox, and shows a public one to everybody', async () => {
  const serve = `node -e 'require("http").createServer((q, a) => a.end("it lives")).listen(8080)'`
  const id = await devboxWithTasks({
    setupTasks: [],
    tasks: { dev: { name: 'Dev', command: serve, runAtStart: true, preview: { port: 8080 } } },
  })
  const privacy = (level: number) => call('PATCH', `/api/v1/sandboxes/${id}/privacy`, { sandbox: { privacy: level } })
  await privacy(2)
  await page.goto(`${server.address}/devbox/${id}`)
  await page.frameLocator('iframe[title*="preview" i]').getByText('it lives').waitFor()

  const visitor = await openBrowser()
  const window = visitor.pages()[0]!
  const address = server.address.replace('//app.', `//${id}-8080.preview.`)
  const wrong = `${address}/?preview_token=${randomBytes(16).toString('hex')}`
  expect(await statusOfPreview(wrong)).toBe(401)
  // A person may be somebody who has access, and is asked.
  await window.goto(wrong)
  await window
    .getByRole('button', { name: /sign in/i })
    .first()
    .waitFor()
  await window.screenshot({ path: join(repository, 'test-results', 'bad-input-private-preview.png') })
  // What the app can not tell better is refused with a page of our own.
  await visitor.addCookies([{ name: 'boxyard_preview_renewal', value: '1', url: address }])
  const answer = await window.goto(wrong)
  expect(answer?.status()).toBe(401)
  await window.getByRole('heading', { name: 'You do not have access to this preview' }).waitFor()
  await window.screenshot({ path: join(repository, 'test-results', 'bad-input-refused-preview.png') })

  await privacy(0)
  const shown = await window.goto(wrong)
  expect(shown?.status()).toBe(200)
  await window.getByText('it lives').waitFor()
  // A token leaves the address, whatever it is worth.
  expect(await statusOfPreview(wrong)).toBe(302)
  expect(await statusOfPreview(address)).toBe(200)
  await window.screenshot({ path: join(repository, 'test-results', 'bad-input-public-preview.png') })
  await visitor.close()
})

it('comes back by itself when somebody kills the dev server, and says what began anew', async () => {
  const id = await devboxWithTasks({
    setupTasks: [],
    tasks: { dev: { name: 'Dev', command: 'echo the task runs; sleep 1000', runAtStart: true } },
  })
  await page.goto(`${server.address}/devbox/${id}`)
  await openReadme()
  await page.keyboard.type('typed and not saved ')
  await page.locator('header').first().getByText('Kept, not saved').waitFor()
  const terminal = page.locator('.terminal-wrapper.active .xterm-rows')
  const isOpen = async () => {
    await page.keyboard.press('Control+`')
    return terminal.waitFor({ timeout: 10_000 }).then(
      () => true,
      () => false,
    )
  }
  await vi.waitUntil(isOpen, { timeout: 120_000, interval: 100 })
  await page.keyboard.type('echo before-$((6 * 7))\n')
  await expect.poll(() => terminal.innerText(), { timeout: 60_000 }).toContain('before-42')
  // What a terminal printed is on disk a moment later.
  const isKept = () =>
    run('grep', ['-rlsq', '^before-42', join(disks, 'boxes', id)]).then(
      () => true,
      () => false,
    )
  await vi.waitUntil(isKept, { timeout: 60_000, interval: 50 })
  await page.keyboard.type('kill -9 $PPID\n')
  await page.getByText('The dev server was started again, because it had ended.').first().waitFor()
  await expect
    .poll(() => terminal.innerText(), { timeout: 60_000 })
    .toMatch(/before-42[^]*The\sdev\sserver\shad\sended\sand\swas\sstarted\sagain\.\sThis\sis\sa\snew\sshell\./)
  await page.keyboard.type('echo after-$((6 * 7))\n')
  await expect.poll(() => terminal.innerText(), { timeout: 60_000 }).toContain('after-42')
  await expect.poll(() => text(), { timeout: 60_000 }).toMatch(/typed\sand\snot\ssaved/)
  await picture('dev-server-killed')
})

it('says on a full disk what is safe and what to do, and loses nothing', async (context) => {
  if (!isDiskSmall) context.skip()
  const id = await devboxWithTasks({ setupTasks: [], tasks: {} })
  await page.goto(`${server.address}/devbox/${id}`)
  await openReadme()
  await page.keyboard.type('before ')
  await page.keyboard.press('Control+s')
  const state = page.locator('header').first()
  await state.getByText('Saved', { exact: true }).waitFor()

  const filler = await fill()
  // More than a block of the file, less than what the journal has put by: it is kept, and can not be saved.
  await page.keyboard.insertText(`${'kept '.repeat(4_000)}\n`)
  await state.getByText('Kept, not saved').waitFor()
  await page.keyboard.press('Control+s')
  const said = page.locator('.notification-toast.notification-fade-in-done')
  await expect
    .poll(() => said.allInnerTexts(), { timeout: 60_000 })
    .toContainEqual(
      expect.stringMatching(/Failed to save 'README.md': The disk of this devbox is full. What was saved is/),
    )
  await expect.poll(() => said.count(), { timeout: 60_000 }).toBe(1)
  expect((await said.allInnerTexts()).join()).not.toContain('FileSystemError')
  await picture('full-disk-save')

  await runCommand('Notifications: Clear All Notifications')
  await said.waitFor({ state: 'detached' })
  await page.getByRole('treeitem', { name: 'README.md', exact: true }).click()
  await runCommand('File: New Folder')
  const name = page.locator('.explorer-folders-view input')
  await name.fill('folder-on-a-full-disk')
  await page.keyboard.press('Enter')
  await said.getByText('The disk of this devbox is full').first().waitFor()
  expect(await page.getByRole('treeitem', { name: 'folder-on-a-full-disk' }).count()).toBe(0)
  await picture('full-disk-new')

  await rm(filler, { recursive: true })
  await run('mount', ['-o', 'remount,nr_inodes=0', disks])
  await page.locator('.editor-instance .monaco-editor .view-lines').first().click()
  await page.keyboard.press('Control+s')
  await state.getByText('Saved', { exact: true }).waitFor()
  await picture('full-disk-over')
  const { stdout: found } = await run('find', [join(disks, 'boxes', id), '-name', 'README.md', '-size', '+4k'])
  const saved = await readFile(found.trim().split('\n')[0]!, 'utf8')
  expect(saved.startsWith('before kept kept')).toBe(true)
  expect(saved.match(/kept/g)).toHaveLength(4_000)
})

/** Takes all the room of the disks, and all the entries that they may have; answers the folder to remove. */
async function fill(): Promise<string> {
  const filler = join(disks, 'filler')
  await mkdir(filler)
  await run('dd', ['if=/dev/zero', `of=${join(filler, 'bytes')}`, 'bs=4k']).catch(() => undefined)
  const { stdout } = await run('df', ['--output=iused', disks])
  const used = Number(stdout.trim().split('\n').at(-1))
  await run('mount', ['-o', `remount,nr_inodes=${used + 100}`, disks])
  for (let made = 0; ; made += 1) {
    try {
      await writeFile(join(filler, String(made)), '')
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC')
      return filler
    }
  }
}

async function runCommand(title: string): Promise<void> {
  await page.keyboard.press('F1')
  await page.locator('.quick-input-widget input').fill(`>${title}`)
  await page
    .getByRole('option', { name: new RegExp(`^${title}`) })
    .first()
    .waitFor()
  await page.keyboard.press('Enter')
}

/** What a program is answered that asks for a page of a preview; only browsers know where its name leads. */
function statusOfPreview(address: string): Promise<number> {
  const { host, pathname, search } = new URL(address)
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: pathname + search, headers: { host } }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    }).on('error', reject)
  })
}

/** Opens the one file of the devbox, with the caret at its beginning. */
async function openReadme(): Promise<void> {
  await page.getByRole('treeitem', { name: 'README.md', exact: true }).dblclick()
  await page
    .getByRole('tab', { name: /README\.md/ })
    .first()
    .waitFor()
  await expect.poll(text, { timeout: 60_000 }).toMatch(/#\sBroken/)
  await page.locator('.editor-instance .monaco-editor .view-lines').first().click()
  await page.keyboard.press('Control+Home')
}

const text = () => page.locator('.editor-instance .monaco-editor .view-lines').first().innerText()

/** The command lines of the processes that have to do with a folder. */
async function processesOf(home: string): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const command = await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => '')
    if (command.includes(home)) found.push(command)
  }
  return found
}

import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { freePort, startServer } from '../support/server.ts'
import type { RunningServer } from '../support/server.ts'
import { repository } from '../support/story.ts'

// What people get to see when something that they did not mean goes wrong, and that nothing is lost by it.

const checkout = process.env['E2E_CHECKOUT'] ?? repository
const token = randomBytes(16).toString('hex')

let folder: string
let port: number
let server: RunningServer
let browser: BrowserContext
let page: Page

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'boxyard-bad-input-'))
  port = await freePort()
  server = await startServer(checkout, {
    BOXYARD_HOME: join(folder, 'home'),
    PORT: String(port),
    BOXYARD_ADMIN_TOKEN: token,
  })
  const session = (await call('GET', '/api/v1/auth/auth-token')) as { token: string }
  browser = await openBrowser()
  const cookie = (name: string, value: string) => ({
    name,
    value,
    url: server.address.replace('http:', 'https:'),
    secure: true,
  })
  await browser.addCookies([cookie('__Host-boxyard_session', session.token), cookie('signedIn', 'true')])
  page = browser.pages()[0]!
})

afterAll(async () => {
  await browser?.close()
  await server?.end('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

async function call(method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(`http://localhost:${port}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  expect([path, answer.status]).toEqual([path, 200])
  return ((await answer.json()) as { data: unknown }).data
}

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

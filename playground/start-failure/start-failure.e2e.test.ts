import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { administratorOf, administratorToken } from '../support/administrator.ts'
import type { Administrator } from '../support/administrator.ts'
import { openBrowser } from '../support/browser.ts'
import { freePort, startServer } from '../support/server.ts'
import type { RunningServer } from '../support/server.ts'

// What a person sees when the machine behind a devbox does not start, and how they get on.

const repository = resolve(import.meta.dirname, '../..')
const checkout = process.env['E2E_CHECKOUT'] ?? repository
const token = administratorToken()

let folder: string
let server: RunningServer
let administrator: Administrator
let browser: BrowserContext
let id: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'boxyard-start-failure-'))
  const environment = { BOXYARD_HOME: join(folder, 'home'), PORT: String(await freePort()), BOXYARD_ADMIN_TOKEN: token }
  server = await startServer(checkout, environment)
  administrator = administratorOf(server, token)
  id = ((await call('POST', '/api/v1/sandboxes/static/fork', { v2: true })) as { id: string }).id
  await call('POST', `/api/vm/${id}/start`)
  await call('POST', `/api/vm/${id}/shutdown`)
  browser = await openBrowser()
  await administrator.signIn(browser)
})

afterAll(async () => {
  await browser?.close()
  await server?.end('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

const call: Administrator['call'] = (...given) => administrator.call(...given)

it('BX435: the page says what did not start, shows the log of the start, and restarts the machine', async () => {
  // What the dev server keeps about itself is damaged on the disk of the box: it ends before it answers.
  const identity = join(folder, 'home/boxes/boxes', id, 'upper/state/dev-server.json')
  const intact = await readFile(identity)
  await writeFile(identity, 'damaged')
  const page = browser.pages()[0]!
  await page.goto(`${server.address}/devbox/${id}`)
  await page.getByRole('heading', { name: 'Unable to start the microVM' }).waitFor()
  await page.getByText('Your files are safe').waitFor()
  await page.getByText('The dev server in the box did not start').first().waitFor()
  await page.getByText('Restart the box; its files are safe.').first().waitFor()
  await page.getByText('Log of the start').waitFor()
  const log = page.locator('details pre').first()
  await log.waitFor()
  expect(await log.textContent()).toContain('damaged')
  await page.screenshot({ path: join(repository, 'test-results', 'start-failure.png') })

  await writeFile(identity, intact)
  await page.getByRole('button', { name: 'Restart microVM' }).click()
  await page.getByRole('treeitem', { name: 'index.html', exact: true }).waitFor()
})

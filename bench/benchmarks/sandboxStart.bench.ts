import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, Frame, Page } from 'playwright-core'
import { openBrowser } from '../../playground/support/browser.ts'
import type { Benchmark } from '../benchmark.ts'
import { headingAt, watchForHeading } from '../editor/watchForHeading.ts'
import { BoxyardServer } from '../server/boxyardServer.ts'
import { viteProject } from '../server/vite.ts'
import type { ViteProject } from '../server/vite.ts'

const TEMPLATE = 'react-vite-ts'
const FILE = 'src/App.tsx'
const HEADING = 'Hello React'
const EDITS = 5
const template = fileURLToPath(new URL(`../../templates/${TEMPLATE}`, import.meta.url))
const peer = "Vite's dev server, packages installed"

interface Samples {
  cold: number[]
  warm: number[]
  edit: number[]
}
const samples = (): Samples => ({ cold: [], warm: [], edit: [] })

const benchmark: Benchmark = {
  name: 'sandbox-start',
  description:
    'A sandbox without a machine from the React template: its address to the first render of its preview with an empty browser profile, again, and from saving an edit to its render.',
  peer,
  runs: 5,
  async run({ runs, report }) {
    const vite = await viteProject(template)
    const server = await BoxyardServer.start()
    try {
      const id = await server.createSandbox(TEMPLATE)
      const own = samples()
      const other = samples()
      // The first visitor of all has the server pack the dependencies, which it does once.
      await withBrowser((browser) => visitSandbox(browser, server, id, samples()))
      for (let run = 0; run < runs; run += 1) {
        await withBrowser((browser) => visitSandbox(browser, server, id, own))
        await withBrowser((browser) => visitVite(browser, vite, other))
        const last = ({ cold, warm, edit }: Samples) =>
          [cold, warm, edit].map((series) => series.at(-1)!.toFixed(0)).join(', ')
        report(`cold, warm, edit: ${last(own)}; ${peer} ${last(other)}`)
      }
      const time = { unit: 'ms', better: 'smaller' } as const
      return [
        { ...time, name: 'first render, cold', own: own.cold, peer: { name: peer, samples: other.cold } },
        { ...time, name: 'first render, warm', own: own.warm, peer: { name: peer, samples: other.warm } },
        { ...time, name: 'saved edit to render', own: own.edit, peer: { name: peer, samples: other.edit } },
      ]
    } finally {
      await server.stop()
      await vite.remove()
    }
  },
}
export default benchmark

async function withBrowser(use: (browser: BrowserContext) => Promise<void>): Promise<void> {
  const browser = await openBrowser()
  try {
    await watchForHeading(browser)
    await use(browser)
  } finally {
    await browser.close()
  }
}

const beganAt = (page: Page): Promise<number> => page.evaluate(() => performance.timeOrigin)

async function previewOf(page: Page): Promise<Frame> {
  const frame = await page.waitForSelector('iframe[src*=".preview."]', { state: 'attached' })
  return (await frame.contentFrame())!
}

/** Opens the sandbox twice and edits it. */
async function visitSandbox(browser: BrowserContext, server: BoxyardServer, id: string, into: Samples): Promise<void> {
  const url = server.origin.replace('http:', 'https:')
  const cookies = await server.sessionCookies()
  await browser.addCookies(cookies.map((cookie) => ({ ...cookie, url, secure: true })))
  const page = await browser.newPage()
  const address = `${server.origin}/sandbox/${id}?file=${encodeURIComponent(FILE)}`
  for (const series of [into.cold, into.warm]) {
    await page.goto(address, { waitUntil: 'commit' })
    const frame = await previewOf(page)
    series.push((await headingAt(frame, HEADING)) - (await beganAt(page)))
  }
  await page.locator('.editor-instance .view-lines').first().click()
  await page.keyboard.press('Control+f')
  await page.locator('.find-widget textarea').first().fill(HEADING)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await page.waitForFunction(() =>
    document.activeElement?.closest('.find-widget, .editor-instance')?.matches('.editor-instance'),
  )
  await page.keyboard.press('ArrowRight')
  const frame = await previewOf(page)
  for (let edit = 0; edit < EDITS; edit += 1) {
    const mark = ` ${edit}x${Math.round(performance.now())}`
    await page.keyboard.insertText(mark)
    await page.keyboard.press('Control+s')
    const renderedAt = await headingAt(frame, mark)
    into.edit.push(renderedAt - (await page.evaluate(() => window.boxyardSavedAt)))
  }
}

/** The same with Vite: the first time its server starts too, as on a laptop. */
async function visitVite(browser: BrowserContext, vite: ViteProject, into: Samples): Promise<void> {
  const page = await browser.newPage()
  const began = performance.timeOrigin + performance.now()
  const server = await vite.start({ isCold: true })
  const path = join(vite.folder, FILE)
  const text = await readFile(path, 'utf8')
  try {
    await page.goto(server.address, { waitUntil: 'commit' })
    into.cold.push((await headingAt(page.mainFrame(), HEADING)) - began)
    await page.goto(server.address, { waitUntil: 'commit' })
    into.warm.push((await headingAt(page.mainFrame(), HEADING)) - (await beganAt(page)))
    for (let edit = 0; edit < EDITS; edit += 1) {
      const mark = ` ${edit}x${Math.round(performance.now())}`
      const saved = performance.timeOrigin + performance.now()
      await writeFile(path, text.replace(HEADING, `${HEADING}${mark}`))
      into.edit.push((await headingAt(page.mainFrame(), mark)) - saved)
    }
  } finally {
    await writeFile(path, text)
    await server.stop()
  }
}

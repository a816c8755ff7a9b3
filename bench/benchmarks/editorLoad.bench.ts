import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Benchmark } from '../benchmark.ts'
import { codeServer, startCodeServer } from '../editor/codeServer.ts'
import type { PlainBrowser } from '../editor/plainBrowser.ts'
import { untilAt } from '../editor/untilAt.ts'
import { untilReadable } from '../editor/untilReadable.ts'
import { visit, withFreshProfile } from '../editor/visits.ts'
import { BoxyardServer } from '../server/boxyardServer.ts'

const TEMPLATE = 'react-vite-ts'
const FILE = 'src/App.tsx'
const template = fileURLToPath(new URL(`../../templates/${TEMPLATE}`, import.meta.url))

/** A page that has asked for nothing in that many milliseconds has nothing left to do. */
const QUIET_MS = 1_000

const benchmark: Benchmark = {
  name: 'editor-load',
  description:
    'From the address of a running devbox to its tokenised file: first visit, later visits, and from the dashboard.',
  peer: codeServer,
  runs: 5,
  async run({ runs, report }) {
    const folder = await mkdtemp(join(tmpdir(), 'boxyard-bench-project-'))
    await cp(template, folder, { recursive: true })
    const peer = await startCodeServer(folder)
    const server = await BoxyardServer.start()
    try {
      const id = await server.createDevbox(TEMPLATE)
      await server.startDevbox(id)
      const cookies = await server.sessionCookies()
      const signIn = (browser: PlainBrowser) => browser.addCookies(server.origin, cookies)
      const address = `${server.origin}/devbox/${id}?file=${encodeURIComponent(FILE)}`

      const own = samplesOfVisits()
      const other = samplesOfVisits()
      const dashboard = { first: [] as number[], editor: [] as number[] }
      const threeVisits = async (browser: PlainBrowser, to: string, into: typeof other) => {
        const cold = await visit(browser, to)
        into.cold.push(cold.readable)
        into.firstCold.push(cold.first)
        into.megabytes.push(cold.megabytes)
        for (let again = 0; again < 2; again += 1) {
          const { first, readable } = await visit(browser, to)
          into.repeat.push(readable)
          into.firstRepeat.push(first)
        }
      }
      // What both servers do once, at their first visitor, is not what visitors wait for.
      await withFreshProfile((browser) => visit(browser, peer.address(FILE)))
      await withFreshProfile(async (browser) => {
        await signIn(browser)
        await visit(browser, address)
      })
      for (let run = 0; run < runs; run += 1) {
        await withFreshProfile((browser) => threeVisits(browser, peer.address(FILE), other))
        await withFreshProfile(async (browser) => {
          await signIn(browser)
          await threeVisits(browser, address, own)
        })
        await withFreshProfile(async (browser) => {
          await signIn(browser)
          const { first, editor } = await fromDashboard(browser, server.origin, id)
          dashboard.first.push(first)
          dashboard.editor.push(editor)
        })
        const last = (samples: readonly number[]) => samples.at(-1)!.toFixed(0)
        report(
          `cold ${last(own.cold)}, repeat ${last(own.repeat)}, from the dashboard ${last(dashboard.editor)}, first text ${last(own.firstCold)}, ${last(own.firstRepeat)}, ${last(dashboard.first)}; ${codeServer} ${last(other.cold)}, ${last(other.repeat)}`,
        )
      }
      const time = { unit: 'ms', better: 'smaller' } as const
      const against = (samples: number[]) => ({ name: codeServer, samples })
      return [
        { ...time, name: 'cold', own: own.cold, peer: against(other.cold), budget: { of: 'ratio', limit: 0.45 } },
        { ...time, name: 'repeat', own: own.repeat, peer: against(other.repeat), budget: { of: 'ratio', limit: 0.3 } },
        {
          ...time,
          name: 'first text, cold',
          own: own.firstCold,
          peer: against(other.firstCold),
          budget: { of: 'median', limit: 300 },
        },
        {
          ...time,
          name: 'first text, repeat',
          own: own.firstRepeat,
          peer: against(other.firstRepeat),
          budget: { of: 'median', limit: 150 },
        },
        {
          ...time,
          name: 'from the dashboard',
          own: dashboard.editor,
          peer: null,
          budget: { of: 'median', limit: 250 },
        },
        { ...time, name: 'first text, from the dashboard', own: dashboard.first, peer: null },
        {
          name: 'transferred, cold',
          unit: 'MB',
          better: 'smaller',
          own: own.megabytes,
          peer: against(other.megabytes),
        },
      ]
    } finally {
      await server.stop()
      await peer.stop()
      await rm(folder, { recursive: true })
    }
  },
}
export default benchmark

const samplesOfVisits = () => ({
  cold: [] as number[],
  repeat: [] as number[],
  firstCold: [] as number[],
  firstRepeat: [] as number[],
  megabytes: [] as number[],
})

/** Milliseconds from the click on a devbox to its first text and to its readable editor, once the dashboard had nothing left to do and its page ready. */
async function fromDashboard(
  browser: PlainBrowser,
  origin: string,
  id: string,
): Promise<{ first: number; editor: number }> {
  const page = await browser.newPage()
  await page.goto(`${origin}/dashboard/recent`)
  const link = `document.querySelector('a[href^="/devbox/${id}"]')`
  const files = `(${link} && benchmark.isAhead ? performance.getEntriesByType('resource').length : 0)`
  for (let before = -1, now = 0; now === 0 || now !== before;) {
    before = now
    await delay(QUIET_MS)
    now = await page.evaluate<number>(files)
  }
  const clickedAt = await page.evaluate<number>(`(${link}.click(), performance.timeOrigin + benchmark.clickedAt)`)
  await untilAt(page, '/devbox/')
  const { firstAt, readableAt } = await untilReadable(page)
  const madeAt = await page.evaluate<number>('performance.timeOrigin')
  await page.close()
  return { first: madeAt + firstAt - clickedAt, editor: madeAt + readableAt - clickedAt }
}

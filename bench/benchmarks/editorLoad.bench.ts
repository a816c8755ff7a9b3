import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BrowserContext } from 'playwright-core'
import type { Benchmark } from '../benchmark.ts'
import { codeServer, startCodeServer } from '../editor/codeServer.ts'
import { untilReadable } from '../editor/untilReadable.ts'
import { visit, withFreshProfile } from '../editor/visits.ts'
import { BoxyardServer } from '../server/boxyardServer.ts'

const TEMPLATE = 'react-vite-ts'
const FILE = 'src/App.tsx'
const template = fileURLToPath(new URL(`../../templates/${TEMPLATE}`, import.meta.url))

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
      const signIn = (context: BrowserContext) =>
        context.addCookies(
          cookies.map((cookie) => ({ ...cookie, url: server.origin.replace('http:', 'https:'), secure: true })),
        )
      const address = `${server.origin}/devbox/${id}?file=${encodeURIComponent(FILE)}`

      const own = { cold: [] as number[], repeat: [] as number[], megabytes: [] as number[], dashboard: [] as number[] }
      const other = { cold: [] as number[], repeat: [] as number[], megabytes: [] as number[] }
      const threeVisits = async (context: BrowserContext, to: string, into: typeof other) => {
        const cold = await visit(context, to)
        into.cold.push(cold.readable)
        into.megabytes.push(cold.megabytes)
        for (let again = 0; again < 2; again += 1) into.repeat.push((await visit(context, to)).readable)
      }
      // What both servers do once, at their first visitor, is not what visitors wait for.
      await withFreshProfile((context) => visit(context, peer.address(FILE)))
      await withFreshProfile(async (context) => {
        await signIn(context)
        await visit(context, address)
      })
      for (let run = 0; run < runs; run += 1) {
        await withFreshProfile((context) => threeVisits(context, peer.address(FILE), other))
        await withFreshProfile(async (context) => {
          await signIn(context)
          await threeVisits(context, address, own)
        })
        await withFreshProfile(async (context) => {
          await signIn(context)
          own.dashboard.push(await fromDashboard(context, server.origin, id))
        })
        const last = (samples: readonly number[]) => samples.at(-1)!.toFixed(0)
        report(
          `cold ${last(own.cold)}, repeat ${last(own.repeat)}, from the dashboard ${last(own.dashboard)}; ${codeServer} ${last(other.cold)}, ${last(other.repeat)}`,
        )
      }
      const time = { unit: 'ms', better: 'smaller' } as const
      const against = (samples: number[]) => ({ name: codeServer, samples })
      return [
        { ...time, name: 'cold', own: own.cold, peer: against(other.cold), budget: { of: 'ratio', limit: 0.45 } },
        { ...time, name: 'repeat', own: own.repeat, peer: against(other.repeat), budget: { of: 'ratio', limit: 0.3 } },
        { ...time, name: 'first text, cold', own: own.cold, peer: null, budget: { of: 'median', limit: 300 } },
        { ...time, name: 'first text, repeat', own: own.repeat, peer: null, budget: { of: 'median', limit: 150 } },
        { ...time, name: 'from the dashboard', own: own.dashboard, peer: null, budget: { of: 'median', limit: 250 } },
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

/** Milliseconds from the click on a devbox to its readable editor, once the dashboard had nothing left to do. */
async function fromDashboard(context: BrowserContext, origin: string, id: string): Promise<number> {
  const page = await context.newPage()
  await page.goto(`${origin}/dashboard/recent`, { waitUntil: 'networkidle' })
  await page.locator(`a[href^="/devbox/${id}"]`).first().click()
  const { readableAt, clickedAt } = await untilReadable(page)
  if (clickedAt === undefined) throw new Error('The click loaded another page')
  await page.close()
  return readableAt - clickedAt
}

import { setTimeout as delay } from 'node:timers/promises'
import type { Benchmark, Series } from '../benchmark.ts'
import type { PlainBrowser } from '../editor/plainBrowser.ts'
import { withFreshProfile } from '../editor/visits.ts'
import { reactProject } from '../sandbox/project.ts'
import { untilRendered } from '../sandbox/untilRendered.ts'
import { ViteProject } from '../sandbox/viteProject.ts'
import { watchRenders } from '../sandbox/watchRenders.ts'
import { BoxyardServer } from '../server/boxyardServer.ts'

const now = () => performance.timeOrigin + performance.now()

/** Small packages with nothing behind them. Every set of them is a pack of its own. */
const packages = { clsx: '2.1.1', nanoid: '5.1.5', mitt: '3.0.1', dequal: '2.0.3', 'tiny-invariant': '1.3.3' }
/** Milliseconds for which a page is looked at: what it does for the next visit, it does then. */
const STAY_MS = 5_000
/** Milliseconds in which a browser clears away a page that was closed. */
const CLEAR_MS = 2_000
/** Visits after the first one, in the same browser. */
const LATER_VISITS = 3
/** What the page and its frames took over the network until the preview was there. */
const BYTES = `performance.getEntriesByType('navigation').concat(performance.getEntriesByType('resource'))
  .filter(({ responseEnd }) => responseEnd > 0).reduce((sum, { transferSize }) => sum + transferSize, 0)`

const benchmark: Benchmark = {
  name: 'sandbox-start',
  description: 'From the address of a sandbox without a machine to the first render of its preview.',
  peer: 'vite 8.3.8',
  runs: 5,
  async run({ runs, report }) {
    const small = reactProject({ modules: 20 })
    const large = reactProject({ modules: 200 })
    const vite = { small: await ViteProject.make(small), large: await ViteProject.make(large) }
    const server = await BoxyardServer.start()
    try {
      const cookies = await server.sessionCookies()
      const ids = { small: await server.defineSandbox(small), large: await server.defineSandbox(large) }
      await server.publish(ids.small)
      // Brings the archives of all packages onto the server, as anybody's sandbox has done before.
      const known = await server.defineSandbox(reactProject({ modules: 20, dependencies: packages }))

      /** `made` answers with an address, which is opened in an empty page that is there before. */
      const open = async (browser: PlainBrowser, made: string | (() => Promise<string>)): Promise<[number, number]> => {
        const page = await browser.newPage(watchRenders)
        const since = now()
        await page.goto(typeof made === 'string' ? made : await made())
        const at = await untilRendered(page, '1')
        const megabytes = (await page.evaluate<number>(BYTES)) / 1_000_000
        await delay(STAY_MS)
        await page.close()
        await delay(CLEAR_MS)
        return [at - since, megabytes]
      }
      const editorOf = (id: string) => `${server.origin}/sandbox/${id}`
      const embedOf = (id: string) => `${server.origin}/embed/${id}?view=preview`
      const asOwner = <T>(use: (browser: PlainBrowser) => Promise<T>) =>
        withFreshProfile(async (browser) => {
          await browser.addCookies(server.origin, cookies)
          return use(browser)
        })
      const plain = (project: ViteProject) =>
        withFreshProfile(async (browser) => {
          let started: Awaited<ReturnType<ViteProject['start']>> | undefined
          try {
            return await open(browser, async () => {
              started = await project.start()
              return started.address
            })
          } finally {
            await started?.stop()
          }
        })

      // What both do once, at their first visitor, is not what visitors wait for.
      await asOwner((browser) => open(browser, editorOf(ids.large)))
      await asOwner((browser) => open(browser, editorOf(known)))
      await plain(vite.small)

      const own = { small: [], warm: [], large: [], unknown: [], embed: [], bytes: [] } as Record<string, number[]>
      const other = { small: [], large: [] } as Record<string, number[]>
      for (let run = 0; run < runs; run += 1) {
        other['small']!.push((await plain(vite.small))[0])
        await asOwner(async (browser) => {
          own['small']!.push((await open(browser, editorOf(ids.small)))[0])
          for (let visit = 0; visit < LATER_VISITS; visit += 1)
            own['warm']!.push((await open(browser, editorOf(ids.small)))[0])
        })
        other['large']!.push((await plain(vite.large))[0])
        await asOwner(async (browser) => own['large']!.push((await open(browser, editorOf(ids.large)))[0]))
        await asOwner(async (browser) => {
          const made = async () =>
            editorOf(await server.defineSandbox(reactProject({ modules: 20, dependencies: chosen(run + 1) })))
          own['unknown']!.push((await open(browser, made))[0])
        })
        await withFreshProfile(async (browser) => {
          const [took, megabytes] = await open(browser, embedOf(ids.small))
          own['embed']!.push(took)
          own['bytes']!.push(megabytes)
        })
        const last = (samples: Record<string, number[]>) =>
          Object.entries(samples).map(([name, all]) => `${name} ${all.at(-1)!.toFixed(name === 'bytes' ? 2 : 0)}`)
        report(`${last(own).join(', ')}; vite ${last(other).join(', ')}`)
      }
      const series = (name: string, samples: number[], limit: number | null, peer?: number[]): Series => ({
        name,
        unit: 'ms',
        better: 'smaller',
        own: samples,
        peer: peer ? { name: 'vite', samples: peer } : null,
        ...(limit === null ? {} : { budget: { of: 'median', limit } }),
      })
      return [
        series('20 modules, empty profile', own['small']!, 800, other['small']),
        series('20 modules, later visits', own['warm']!, 400),
        series('200 modules, empty profile', own['large']!, 1_200, other['large']),
        series('made of a set of packages that the server has not packed, and opened', own['unknown']!, 1_500),
        series('embedded preview, empty profile', own['embed']!, null),
        { name: 'embedded, transferred', unit: 'MB', better: 'smaller', own: own['bytes']!, peer: null },
      ]
    } finally {
      await server.stop()
      await vite.small.remove()
      await vite.large.remove()
    }
  },
}
export default benchmark

/** A set of packages of its own for each number from 1 to 30. */
function chosen(number: number): Record<string, string> {
  if (number > 30) throw new Error('There are 30 sets of packages, so at most 30 runs')
  return Object.fromEntries(Object.entries(packages).filter((_, index) => (number >> index) & 1))
}

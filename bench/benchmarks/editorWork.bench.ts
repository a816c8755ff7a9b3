import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Benchmark } from '../benchmark.ts'
import { codeServer, startCodeServer } from '../editor/codeServer.ts'
import { watchForText } from '../editor/plainBrowser.ts'
import type { PlainBrowser, PlainPage } from '../editor/plainBrowser.ts'
import { untilReadable } from '../editor/untilReadable.ts'
import { withFreshProfile } from '../editor/visits.ts'
import { typistOf } from '../keystroke/boxyardTyping.ts'
import { typeSteadily } from '../keystroke/typing.ts'
import { BoxyardServer } from '../server/boxyardServer.ts'

const TEMPLATE = 'react-vite-ts'
const template = fileURLToPath(new URL(`../../templates/${TEMPLATE}`, import.meta.url))
const watchKeys = fileURLToPath(new URL('../editor/watchKeys.js', import.meta.url))
const watchForFault = fileURLToPath(new URL('../editor/watchForFault.js', import.meta.url))

const LONG = 'src/long.ts'
const LINES = 10_000
const FAULTY = 'src/faulty.ts'
const faulty = "export const count: number = 'one'\n"

/** Keys a second, of the person at the browser and of the other one. */
const PER_SECOND = 8
const KEYS = 120
/** Keys that are pressed before it counts: what is done once at the first ones is not what typing is like. */
const FIRST_KEYS = 20
/** A frame is drawn when it is ready, so that no time is the wait for a display. */
const frames = ['--disable-gpu-vsync', '--disable-frame-rate-limit']
/** Milliseconds after which an editor has started what it starts late. */
const SETTLE_MS = 15_000
const DEADLINE_MS = 120_000
/** A page of one text area: what a key costs in this browser on this machine before any editor has a part in it. */
const TEXT_AREA = 'data:text/html,<textarea style="width: 100%; height: 90vh"></textarea>'
const EDITOR = '.editor-instance :is(.native-edit-context, textarea.inputarea)'

const benchmark: Benchmark = {
  name: 'editor-work',
  description: `Keys in a TypeScript file of ${LINES} lines and in a page of one text area, the first mistake of TypeScript on a cold visit, and memory.`,
  peer: codeServer,
  runs: 3,
  async run({ runs, report }) {
    const folder = await mkdtemp(join(tmpdir(), 'boxyard-bench-project-'))
    await cp(template, folder, { recursive: true })
    await writeFile(join(folder, LONG), longText())
    await writeFile(join(folder, FAULTY), faulty)
    const peer = await startCodeServer(folder)
    const server = await BoxyardServer.start()
    try {
      const id = await server.createDevbox(TEMPLATE)
      const other = await server.joinDevbox(id)
      const { workspace_path: root } = await server.startDevbox(id)
      await other.fs.writeFile(`${root}/${LONG}`, new TextEncoder().encode(longText()), {
        create: true,
        overwrite: true,
      })
      await other.fs.writeFile(`${root}/${FAULTY}`, new TextEncoder().encode(faulty), { create: true, overwrite: true })
      const cookies = await server.sessionCookies()
      const signIn = (browser: PlainBrowser) => browser.addCookies(server.origin, cookies)
      const address = (file: string) => `${server.origin}/devbox/${id}?file=${encodeURIComponent(file)}`
      const typist = await typistOf(other, LONG)

      const own = { keys: [] as number[], fault: [] as number[], heap: [] as number[] }
      const others = { keys: [] as number[], fault: [] as number[], heap: [] as number[] }
      const bare: number[] = []
      for (let run = 0; run < runs; run += 1) {
        await withFreshProfile(async (browser) => others.fault.push(await untilFault(browser, peer.address(FAULTY))))
        await withFreshProfile(async (browser) => {
          await signIn(browser)
          own.fault.push(await untilFault(browser, address(FAULTY)))
        })
        await withFreshProfile(async (browser) => {
          const page = await opened(browser, peer.address(LONG))
          others.keys.push(...(await typed(page, EDITOR)))
          others.heap.push((await page.heapBytes()) / 1_000_000)
        }, frames)
        await withFreshProfile(async (browser) => {
          await signIn(browser)
          const page = await opened(browser, address(LONG))
          const both = typeSteadily([typist], PER_SECOND, ((FIRST_KEYS + KEYS) / PER_SECOND) * 1000)
          own.keys.push(...(await typed(page, EDITOR)))
          await both
          own.heap.push((await page.heapBytes()) / 1_000_000)
        }, frames)
        await withFreshProfile(async (browser) => {
          const page = await browser.newPage(watchKeys)
          await page.goto(TEXT_AREA)
          await page.evaluate(
            `new Promise((resolve) => document.readyState === 'complete' ? resolve() : addEventListener('load', resolve))`,
          )
          bare.push(...(await typed(page, 'textarea')))
        }, frames)
        const last = (samples: readonly number[]) => samples.at(-1)!.toFixed(0)
        report(
          `mistake after ${last(own.fault)} ms, heap ${last(own.heap)} MB; ${codeServer} ${last(others.fault)} ms, ${last(others.heap)} MB`,
        )
      }
      other.dispose()
      const against = (samples: number[]) => ({ name: codeServer, samples })
      return [
        {
          name: 'key to the drawn text, somebody else typing too',
          unit: 'ms',
          better: 'smaller',
          own: own.keys,
          peer: { name: `${codeServer}, nobody else`, samples: others.keys },
          budget: { of: 'p99', limit: 16 },
        },
        {
          name: 'key to the drawn text in a page of one text area',
          unit: 'ms',
          better: 'smaller',
          own: bare,
          peer: null,
        },
        {
          name: 'first mistake of TypeScript, cold',
          unit: 'ms',
          better: 'smaller',
          own: own.fault,
          peer: against(others.fault),
          budget: { of: 'median', limit: 4_000 },
        },
        {
          name: "memory of the page's scripts",
          unit: 'MB',
          better: 'smaller',
          own: own.heap,
          peer: against(others.heap),
          budget: { of: 'ratio', limit: 1 },
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

/** A source of so many lines that there is something to colour and to check on each. */
function longText(): string {
  const lines = Array.from({ length: LINES / 4 }, (_, at) => [
    `export function step${at}(value: number, name = 'step ${at}'): string {`,
    `  const doubled = value * 2 + ${at}`,
    `  return \`\${name}: \${doubled}\``,
    '}',
  ])
  return `${lines.flat().join('\n')}\n`
}

async function untilFault(browser: PlainBrowser, address: string): Promise<number> {
  const page = await browser.newPage(watchForFault)
  await page.goto(address)
  const end = performance.now() + DEADLINE_MS
  while (performance.now() < end) {
    const found = await page.evaluate<number | null>('window.benchmarkFault ?? null')
    if (found !== null) return found
    await delay(100)
  }
  throw new Error(`No mistake is underlined after ${DEADLINE_MS / 1000} s`)
}

/** The page of a file, with everything started that its editor starts. */
async function opened(browser: PlainBrowser, address: string): Promise<PlainPage> {
  const page = await browser.newPage(watchForText, watchKeys)
  await page.goto(address)
  await untilReadable(page)
  await delay(SETTLE_MS)
  return page
}

/** Types where `place` says; the answer is what `window.benchmarkKeys` has of it. */
async function typed(page: PlainPage, place: string): Promise<number[]> {
  await page.evaluate(`document.querySelector('${place}').focus()`)
  for (let key = 0; key < FIRST_KEYS + KEYS; key += 1) {
    await page.write('a')
    await delay(1000 / PER_SECOND)
  }
  const latencies = await page.evaluate<number[]>('window.benchmarkKeys')
  if (latencies.length !== FIRST_KEYS + KEYS)
    throw new Error(`${latencies.length} keys of ${FIRST_KEYS + KEYS} were seen`)
  return latencies.slice(FIRST_KEYS)
}

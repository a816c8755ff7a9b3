import { setTimeout as delay } from 'node:timers/promises'
import type { Benchmark, Measurement } from '../benchmark.ts'
import type { PlainPage } from '../editor/plainBrowser.ts'
import { withFreshProfile } from '../editor/visits.ts'
import { app, EDITED, reactProject } from '../sandbox/project.ts'
import { untilRendered } from '../sandbox/untilRendered.ts'
import { ViteProject } from '../sandbox/viteProject.ts'
import { watchRenders } from '../sandbox/watchRenders.ts'
import { BoxyardServer } from '../server/boxyardServer.ts'

const EDITS = 12
/** Between edits, for what they leave to do. */
const PAUSE_MS = 700

const benchmark: Benchmark = {
  name: 'edit-to-render',
  description: 'From saving an edit to the render of React in the preview, of a sandbox without a machine.',
  peer: 'vite 8.3.8',
  runs: 2,
  async run({ runs, report }) {
    const server = await BoxyardServer.start()
    try {
      const cookies = await server.sessionCookies()
      const both = []
      for (const [modules, limit] of [
        [20, 20],
        [200, 30],
      ] as const) {
        const files = reactProject({ modules })
        const vite = await ViteProject.make(files)
        const own: number[] = []
        const peer: number[] = []
        for (let run = 0; run < runs; run += 1) {
          await withFreshProfile(async (browser) => {
            const started = await vite.start()
            try {
              const page = await browser.newPage(watchRenders)
              await page.goto(started.address)
              // The label of the run before, if there was one, is that of the first render.
              await untilRendered(page, run === 0 ? '1' : labelOf(run - 1, EDITS))
              peer.push(...(await savedFiles(page, vite, modules, run)))
            } finally {
              await started.stop()
            }
          })
          const id = await server.defineSandbox(files)
          await withFreshProfile(async (browser) => {
            await browser.addCookies(server.origin, cookies)
            const page = await browser.newPage(watchRenders)
            await page.goto(`${server.origin}/sandbox/${id}?file=${encodeURIComponent(EDITED)}`)
            await untilRendered(page, '1')
            own.push(...(await typedAndSaved(page)))
          })
          report(`${modules} modules: ${list(own)}; vite ${list(peer)}`)
        }
        await vite.remove()
        both.push({
          name: `${modules} modules`,
          unit: 'ms',
          better: 'smaller',
          own,
          peer: { name: 'vite', samples: peer },
          budget: { of: 'median', limit },
        } as const)
      }
      return both as unknown as Measurement
    } finally {
      await server.stop()
    }
  },
}
export default benchmark

const list = (samples: readonly number[]) =>
  samples
    .slice(-EDITS)
    .map((sample) => sample.toFixed(0))
    .join(' ')
const labelOf = (run: number, edit: number) => `${run + 2}${'7'.repeat(edit)}`

/** Milliseconds from writing the file to the render, of each edit. */
async function savedFiles(page: PlainPage, vite: ViteProject, modules: number, run: number): Promise<number[]> {
  const parts = Array.from({ length: modules - 3 }, (_, index) => `Part${index + 1}`)
  const samples: number[] = []
  for (let edit = 1; edit <= EDITS; edit += 1) {
    await delay(PAUSE_MS)
    const at = await vite.save(app(labelOf(run, edit), parts))
    samples.push((await untilRendered(page, labelOf(run, edit))) - at)
  }
  return samples
}

/** Milliseconds from the key that saves to the render, of each edit. */
async function typedAndSaved(page: PlainPage): Promise<number[]> {
  const input = `document.querySelector('.editor-instance .monaco-editor :is(textarea, .native-edit-context)')`
  while (!(await page.evaluate<boolean>(`Boolean(${input})`))) await delay(PAUSE_MS)
  // What a page still loads when its text is there is not measured here.
  await delay(8_000)
  await page.evaluate(`${input}.focus()`)
  await page.press('Home', { control: true })
  await page.press('End')
  await page.press('ArrowLeft')
  await page.press('ArrowLeft')
  const samples: number[] = []
  for (let edit = 1; edit <= EDITS; edit += 1) {
    await delay(PAUSE_MS)
    await page.type('7')
    await page.press('s', { control: true })
    const at = await untilRendered(page, `1${'7'.repeat(edit)}`)
    samples.push(at - (await page.evaluate<number>('window.benchmark.savedAt')))
  }
  return samples
}

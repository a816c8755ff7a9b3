import { setTimeout as delay } from 'node:timers/promises'
import type { Benchmark, Measurement } from '../benchmark.ts'
import type { PlainPage } from '../editor/plainBrowser.ts'
import { withFreshProfile } from '../editor/visits.ts'
import { COMPONENT, component, FIRST_LABEL, reactProject, ROOT, root } from '../sandbox/project.ts'
import { untilRendered } from '../sandbox/untilRendered.ts'
import { ViteProject } from '../sandbox/viteProject.ts'
import { watchRenders } from '../sandbox/watchRenders.ts'
import { BoxyardServer } from '../server/boxyardServer.ts'

const EDITS = 12
/** Between edits, for what they leave to do. */
const PAUSE_MS = 700
/** Between the last key of an edit and the one that saves: a person has seen the letter. The preview follows an edit that is not saved after 500. */
const SEEN_MS = 100

const benchmark: Benchmark = {
  name: 'edit-to-render',
  description: 'From saving an edit to the render of React in the preview, of a sandbox without a machine.',
  peer: 'vite 8.3.8',
  runs: 2,
  async run({ runs, report }) {
    const server = await BoxyardServer.start()
    try {
      const cookies = await server.sessionCookies()
      const measured = []
      for (const [modules, limit] of [
        [20, 20],
        [200, 30],
      ] as const) {
        const files = reactProject({ modules })
        const vite = await ViteProject.make(files)
        for (const { path, textOf, name, budget } of [
          { path: COMPONENT, textOf: component, name: 'a component', budget: { of: 'median', limit } as const },
          { path: ROOT, textOf: (label: string) => root(label, modules), name: 'the module that renders all others' },
        ]) {
          const own: number[] = []
          const peer: number[] = []
          for (let run = 0; run < runs; run += 1) {
            // As it was before the edits of an earlier run, and of the other file.
            await vite.save(COMPONENT, component(FIRST_LABEL))
            await vite.save(ROOT, root(FIRST_LABEL, modules))
            await withFreshProfile(async (browser) => {
              const started = await vite.start()
              try {
                const page = await browser.newPage(watchRenders)
                await page.goto(started.address)
                await untilRendered(page, FIRST_LABEL)
                peer.push(...(await savedFiles(page, (label) => vite.save(path, textOf(label)))))
              } finally {
                await started.stop()
              }
            })
            const id = await server.defineSandbox(files)
            await withFreshProfile(async (browser) => {
              await browser.addCookies(server.origin, cookies)
              const page = await browser.newPage(watchRenders)
              await page.goto(`${server.origin}/sandbox/${id}?file=${encodeURIComponent(path)}`)
              await untilRendered(page, FIRST_LABEL)
              own.push(...(await typedAndSaved(page)))
            })
            report(`${modules} modules, ${name}: ${list(own)}; vite ${list(peer)}`)
          }
          measured.push({
            name: `${modules} modules, ${name}`,
            unit: 'ms',
            better: 'smaller',
            own,
            peer: { name: 'vite', samples: peer },
            budget,
          } as const)
        }
        await vite.remove()
      }
      return measured as unknown as Measurement
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
const labelOf = (edit: number) => `${FIRST_LABEL}${'7'.repeat(edit)}`

/** Milliseconds from writing the file to the render, of each edit. */
async function savedFiles(page: PlainPage, save: (label: string) => Promise<number>): Promise<number[]> {
  const samples: number[] = []
  for (let edit = 1; edit <= EDITS; edit += 1) {
    await delay(PAUSE_MS)
    const at = await save(labelOf(edit))
    samples.push((await untilRendered(page, labelOf(edit))) - at)
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
    await delay(SEEN_MS)
    await page.press('s', { control: true })
    const at = await untilRendered(page, labelOf(edit))
    samples.push(at - (await page.evaluate<number>('window.benchmark.savedAt')))
  }
  return samples
}

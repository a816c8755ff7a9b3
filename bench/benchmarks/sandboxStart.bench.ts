import type { Benchmark } from '../benchmark.ts'
import type { PlainBrowser } from '../editor/plainBrowser.ts'
import { withFreshProfile } from '../editor/visits.ts'
import { BoxyardServer } from '../server/boxyardServer.ts'
import { startRenderReports } from '../server/renderReports.ts'
import type { RenderReports } from '../server/renderReports.ts'
import { ViteProject } from '../server/viteServer.ts'

const peer = 'Vite 8.3.8 on the same project'
const EDITED = 'src/Edited.tsx'
const EDITS = 5

const component = (index: number) =>
  `export function Part${index}({ value }: { value: number }) { return <p>part ${index}: {value}</p> }\n`
/** Says, once React has put it into the page, which state of it that is. */
const edited = (reports: RenderReports, state: string) => `import { useEffect } from 'react'
export function Edited() {
  useEffect(() => { void fetch('${reports.address}', { method: 'POST', mode: 'no-cors', body: '${state}' }) })
  return <h1>${state}</h1>
}
`

/** A React project with this many modules. */
function projectOf(modules: number, reports: RenderReports, state: string): Record<string, string> {
  const parts = Array.from({ length: modules - 3 }, (_, index) => index)
  return {
    'index.html':
      '<!doctype html><html lang="en"><body><div id="root"></div><script type="module" src="/src/main.tsx"></script></body></html>',
    'package.json': JSON.stringify({
      private: true,
      type: 'module',
      dependencies: { react: '19.3.1', 'react-dom': '19.3.1' },
      devDependencies: { vite: '8.3.8', '@vitejs/plugin-react': '6.3.0' },
    }),
    'vite.config.ts': `import react from '@vitejs/plugin-react'\nexport default { plugins: [react()] }\n`,
    'src/main.tsx': `import { createRoot } from 'react-dom/client'\nimport { App } from './App'\ncreateRoot(document.getElementById('root')!).render(<App />)\n`,
    'src/App.tsx': `${parts.map((index) => `import { Part${index} } from './parts/Part${index}'`).join('\n')}
import { Edited } from './Edited'
export function App() { return <main><Edited />${parts.map((index) => `<Part${index} value={${index}} />`).join('')}</main> }\n`,
    [EDITED]: edited(reports, state),
    ...Object.fromEntries(parts.map((index) => [`src/parts/Part${index}.tsx`, component(index)])),
  }
}

const benchmark: Benchmark = {
  name: 'sandbox-start',
  description: 'From the address of a sandbox without a machine to what React has rendered, and from a save to that.',
  peer,
  runs: 3,
  async run({ runs, report }) {
    const reports = await startRenderReports()
    const server = await BoxyardServer.start()
    const cookies = await server.sessionCookies()
    let last = 0
    const nextState = () => `state ${(last += 1)}`
    /** Milliseconds from an address to the render of a state. */
    const open = async (browser: PlainBrowser, address: string, state: string) => {
      const page = await browser.newPage()
      const started = performance.now()
      await page.goto(address)
      const took = (await reports.untilReported(state)) - started
      return { took, page }
    }
    /** Milliseconds from the save of a new state to its render, in a page that is open. */
    const edits = async (save: (text: string) => Promise<void>): Promise<number[]> => {
      const samples: number[] = []
      for (let edit = 0; edit <= EDITS; edit += 1) {
        const state = nextState()
        const started = performance.now()
        const saved = save(edited(reports, state))
        const rendered = await reports.untilReported(state)
        await saved
        // The first one makes what later ones find made, at both.
        if (edit > 0) samples.push(rendered - started)
      }
      return samples
    }
    const measureSize = async (modules: number) => {
      const own = { alone: [] as number[], editor: [] as number[], again: [] as number[], edit: [] as number[] }
      const other = { cold: [] as number[], again: [] as number[], edit: [] as number[] }
      const plain = await ViteProject.install(projectOf(modules, reports, nextState()))
      try {
        // What the server does once, at the first visitor of a set of dependencies, is measured by itself.
        for (let run = -1; run < runs; run += 1) {
          const isMeasured = run >= 0
          const state = nextState()
          const id = await server.defineSandbox(projectOf(modules, reports, state))
          const save = await server.savesOf(id, EDITED)
          await withFreshProfile(async (browser) => {
            await browser.addCookies(server.origin, cookies)
            const { took, page } = await open(browser, `${server.origin}/sandbox/${id}`, state)
            const samples = isMeasured ? await edits(save) : []
            await page.close()
            if (isMeasured) {
              own.editor.push(took)
              own.edit.push(...samples)
            }
            const later = nextState()
            await save(edited(reports, later))
            const again = await open(browser, `${server.origin}/sandbox/${id}`, later)
            await again.page.close()
            if (isMeasured) own.again.push(again.took)
          })
          await withFreshProfile(async (browser) => {
            await browser.addCookies(server.origin, cookies)
            const alone = nextState()
            await save(edited(reports, alone))
            const { took, page } = await open(browser, server.previewAddress(id), alone)
            await page.close()
            if (isMeasured) own.alone.push(took)
          })
          const cold = nextState()
          await plain.write(EDITED, edited(reports, cold))
          await withFreshProfile(async (browser) => {
            const started = performance.now()
            const vite = await plain.start()
            try {
              const starting = performance.now() - started
              const first = await open(browser, vite.address, cold)
              const samples = isMeasured ? await edits((text) => plain.write(EDITED, text)) : []
              await first.page.close()
              const later = nextState()
              await plain.write(EDITED, edited(reports, later))
              const again = await open(browser, vite.address, later)
              await again.page.close()
              if (!isMeasured) return
              other.cold.push(starting + first.took)
              other.again.push(again.took)
              other.edit.push(...samples)
            } finally {
              await vite.stop()
            }
          })
          if (isMeasured) {
            const shown = (samples: readonly number[]) => samples.at(-1)!.toFixed(0)
            report(
              `${modules} modules: editor ${shown(own.editor)}, again ${shown(own.again)}, alone ${shown(own.alone)}, edit ${shown(own.edit)}; Vite ${shown(other.cold)}, again ${shown(other.again)}, edit ${shown(other.edit)}`,
            )
          }
        }
      } finally {
        await plain.remove()
      }
      return { own, other }
    }
    try {
      const small = await measureSize(20)
      const large = await measureSize(200)
      const time = { unit: 'ms', better: 'smaller' } as const
      const against = (samples: number[]) => ({ name: peer, samples })
      const budget = (limit: number) => ({ of: 'median', limit }) as const
      return [
        {
          ...time,
          name: 'first visit, 20 modules, in the editor',
          own: small.own.editor,
          peer: against(small.other.cold),
          budget: budget(800),
        },
        {
          ...time,
          name: 'first visit, 20 modules, preview alone',
          own: small.own.alone,
          peer: against(small.other.cold),
        },
        {
          ...time,
          name: 'later visit, 20 modules, in the editor',
          own: small.own.again,
          peer: against(small.other.again),
          budget: budget(400),
        },
        {
          ...time,
          name: 'first visit, 200 modules, in the editor',
          own: large.own.editor,
          peer: against(large.other.cold),
          budget: budget(1200),
        },
        {
          ...time,
          name: 'first visit, 200 modules, preview alone',
          own: large.own.alone,
          peer: against(large.other.cold),
        },
        {
          ...time,
          name: 'save to render, 20 modules',
          own: small.own.edit,
          peer: against(small.other.edit),
          budget: budget(20),
        },
        {
          ...time,
          name: 'save to render, 200 modules',
          own: large.own.edit,
          peer: against(large.other.edit),
          budget: budget(30),
        },
      ]
    } finally {
      await server.stop()
      await reports.stop()
    }
  },
}
export default benchmark

import { PREPARED_ID } from '../common/messages.ts'
import type { PreparedPage, RunnerModule, ToRunner } from '../common/messages.ts'
import type { Assets } from './page.ts'

type Run = Extract<ToRunner, { type: 'run' }>

/**
 * What the server has compiled ahead for this page, taken out of it; null where there is nothing. A page that starts again does so because
 * what it showed was not right, and waits for what compiles.
 */
export function takePreparedPage(
  page: Document,
  isOneModule: boolean,
  navigation: PerformanceNavigationTiming | undefined,
): Run | null {
  const element = page.getElementById(PREPARED_ID)
  element?.remove()
  if (!element || isOneModule || navigation?.type === 'reload') return null
  const { assets, ...rest } = JSON.parse(element.textContent) as PreparedPage
  return { type: 'run', ...rest, assets: new Map(assets) }
}

/** What has to be put in the place of what is shown, to be what is to be run; null where the page has to start again for it. */
export function changesOf(shown: Run, wanted: Run): { modules: RunnerModule[]; assets: Assets } | null {
  const surroundings = ({ html, entries, pack, env, assets }: Run) =>
    JSON.stringify([
      html,
      entries,
      pack?.id,
      pack?.imports,
      Object.entries(env).toSorted(),
      [...assets.keys()].toSorted(),
    ])
  if (surroundings(shown) !== surroundings(wanted)) return null
  const before = new Map(shown.modules.map((module) => [module.id, JSON.stringify(module)]))
  return {
    modules: wanted.modules.filter((module) => before.get(module.id) !== JSON.stringify(module)),
    assets: new Map([...wanted.assets].filter(([path, content]) => shown.assets.get(path) !== content)),
  }
}

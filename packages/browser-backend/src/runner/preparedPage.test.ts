import { expect, it } from 'vitest'
import type { RunnerModule, ToRunner } from '../common/messages.ts'
import { changesOf } from './preparedPage.ts'

type Run = Extract<ToRunner, { type: 'run' }>
const module = (id: string, code: string): RunnerModule => ({ id, code, imports: {}, workers: {} })
const pack = { id: 'p', imports: { lit: { file: 'e0.js', css: null, interop: 'esm' as const, chunks: [] } } }
const shown: Run = {
  type: 'run',
  html: '<p></p>',
  entries: ['/main.ts'],
  modules: [module('/main.ts', 'one'), module('/part.ts', 'two')],
  pack,
  env: { MODE: 'development', DEV: true },
  assets: new Map([['/style.css', 'p {}']]),
}

it('BB961: what is compiled is put in the place of what was prepared, as far as it is another', () => {
  expect(changesOf(shown, structuredClone(shown))).toEqual({ modules: [], assets: new Map() })
  const modules = [module('/main.ts', 'one'), module('/part.ts', 'three'), module('/new.ts', '')]
  const assets = new Map([['/style.css', 'p { color: red }']])
  expect(changesOf(shown, { ...shown, modules, assets })).toEqual({ modules: modules.slice(1), assets })
})

it.each<[string, Partial<Run>]>([
  ['another page', { html: '<div></div>' }],
  ['other scripts', { entries: ['/other.ts'] }],
  ['other packages', { pack: { ...pack, id: 'q' } }],
  ['no packages', { pack: null }],
  ['other settings', { env: { MODE: 'development', DEV: true, VITE_NAME: 'x' } }],
  ['other files beside it', { assets: new Map() }],
])('BB961: the page starts again for %s', (_what, wanted) => {
  expect(changesOf(shown, { ...shown, ...wanted })).toBeNull()
})

it('BB961: the order of settings says nothing', () => {
  expect(changesOf(shown, { ...shown, env: { DEV: true, MODE: 'development' } })).not.toBeNull()
})

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sandboxSchema } from '@boxyard/api'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startFakeRegistry } from '../../../../packages/packer/src/testing/fakeRegistry.ts'
import { installation } from '../installation.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { QUIET_MS } from './prepareAhead.ts'
import type { Timers } from './prepareAhead.ts'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'

// Every template that runs in the browser, from a registry of made-up packages with the names of its own.

/** What pages of the templates ask for, as they were seen to. */
const pages: Readonly<Record<string, readonly (readonly string[])[]>> = {
  lit: [['lit']],
  'node-express': [],
  preact: [['preact', 'preact/hooks', 'preact/jsx-dev-runtime']],
  'react-vite': [['react', 'react-dom/client', 'react/jsx-dev-runtime']],
  'react-vite-ts': [['react', 'react-dom/client', 'react/jsx-dev-runtime']],
  solid: [['solid-js', 'solid-js/web', 'solid-refresh']],
  static: [],
  svelte: [['svelte/compiler'], ['svelte', 'svelte/internal/client', 'svelte/internal/disclose-version']],
  'vanilla-vite': [],
  'vanilla-vite-ts': [],
  vue: [['vue/compiler-sfc'], ['vue']],
}
const runInBrowser = readdirSync(installation.templates).filter((name) =>
  readFileSync(join(installation.templates, name, '.codesandbox/template.json'), 'utf8').includes('"browser": true'),
)
function dependenciesOf(name: string): Record<string, string> {
  if (!readdirSync(join(installation.templates, name)).includes('package.json')) return {}
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(installation.templates, name, 'package.json'), 'utf8'),
  ) as Record<'dependencies' | 'devDependencies', Record<string, string> | undefined>
  return { ...devDependencies, ...dependencies }
}

/** The time in which nobody has asked for anything is over at once. */
const noQuiet: Timers = {
  setTimeout: (work, milliseconds) => setTimeout(work, milliseconds === QUIET_MS ? 1 : milliseconds),
  clearTimeout,
}

let registry: Awaited<ReturnType<typeof startFakeRegistry>>
let server: TestServer
let owner: TestBrowser

beforeAll(async () => {
  const versions = { ...Object.assign({}, ...runInBrowser.map(dependenciesOf)), 'solid-refresh': '0.7.8' }
  const specifiers = Object.values(pages).flat(2)
  registry = await startFakeRegistry(
    Object.entries(versions as Record<string, string>).map(([name, version]) => {
      const parts = specifiers.filter((one) => one.startsWith(`${name}/`)).map((one) => one.slice(name.length + 1))
      const scripts = ['index', ...parts].map((part) => [`${part}.js`, 'exports.part = 1'] as const)
      return { name, version, files: { ...Object.fromEntries(scripts), 'index.d.ts': 'export const part: number' } }
    }),
  )
  server = await startTestServer({ BOXYARD_NPM_REGISTRY: registry.origin }, { aheadTimers: noQuiet })
  owner = await server.signedIn('owner')
})
afterAll(async () => {
  await server.close()
  await registry.close()
})

/** How many questions of a kind the server can answer by itself. */
function known(kind: string): number {
  try {
    return readdirSync(join(server.context.configuration.home, 'packs', kind)).length
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}
const different = (all: readonly unknown[]) => new Set(all.map((one) => JSON.stringify(one))).size

it('AP990: every template that runs in the browser is made ready, and who opens it asks no registry for anything', async () => {
  expect(runInBrowser.toSorted()).toEqual(Object.keys(pages))
  const types = runInBrowser.map(dependenciesOf).filter((one) => Object.keys(one).length > 0)
  const wanted = [different(Object.values(pages).flat()), 1, different(types)]
  await expect
    .poll(() => ['requests', 'source-requests', 'type-requests'].map(known), { timeout: 60_000, interval: 100 })
    .toEqual(wanted)

  registry.requests.length = 0
  registry.setAway(true)
  for (const name of runInBrowser) {
    const made = await owner.call('POST', `/api/v1/sandboxes/${name}/fork`, { v2: false })
    const { id } = sandboxSchema.parse((made.body as { data: unknown }).data)
    const ask = async (what: string, body: object) =>
      (await owner.call('POST', `/api/v1/sandboxes/${id}/${what}`, body)).status
    const dependencies = { ...(name === 'solid' && { 'solid-refresh': '0.7.8' }), ...dependenciesOf(name) }
    for (const specifiers of pages[name]!)
      expect([name, specifiers, await ask('packs', { dependencies, specifiers })]).toEqual([name, specifiers, 200])
    if (Object.keys(dependenciesOf(name)).length > 0)
      expect([name, await ask('types', { dependencies: dependenciesOf(name) })]).toEqual([name, 200])
    if (name === 'node-express') expect(await ask('sources', { dependencies: dependenciesOf(name) })).toBe(200)
  }
  expect(registry.requests).toEqual([])
})

import { expect, it } from 'vitest'
import { plainInstall } from './plainInstall.ts'
import type { InstallQuestion } from './plainInstall.ts'

const manifest = { name: 'project', dependencies: { a: '^1.0.0' }, scripts: { dev: 'vite' } }
const lockfile = {
  name: 'project',
  lockfileVersion: 3,
  packages: {
    '': { name: 'project', dependencies: { a: '^1.0.0' } },
    'node_modules/a': { version: '1.0.0', integrity: 'sha512-x' },
  },
}

const ask = (change: Partial<InstallQuestion> & { manifestChange?: object; lockfileChange?: object } = {}) =>
  plainInstall({
    arguments: ['ci'],
    environment: { npm_config_registry: 'http://127.0.0.1:16380/npm', NPM_CONFIG_PREFIX: '/home/boxyard/.local' },
    manifest: JSON.stringify({ ...manifest, ...change.manifestChange }),
    lockfile: JSON.stringify({ ...lockfile, ...change.lockfileChange }),
    hasSettings: false,
    hasModules: false,
    ...change,
  })

it('BX426: everything of a lockfile that fits package.json is laid out', () => {
  for (const name of ['install', 'i', 'ci', 'clean-install']) {
    expect(ask({ arguments: [name] }), name).toMatchObject({ command: name.startsWith('i') ? 'install' : 'ci' })
  }
  expect(ask({ arguments: ['ci', '--no-audit', '--silent'] })).toMatchObject({ isSilent: true })
  expect(ask({ hasModules: true })).not.toBeNull()
})

it.each<[string, Parameters<typeof ask>[0]]>([
  ['another command', { arguments: ['update'] }],
  ['a package', { arguments: ['install', 'left-pad'] }],
  ['an option that changes what is installed', { arguments: ['ci', '--omit=dev'] }],
  ['an install beside what is there', { arguments: ['install'], hasModules: true }],
  ['settings', { hasSettings: true }],
  ['a setting in the environment', { environment: { npm_config_omit: 'dev' } }],
  ['a setting in capitals', { environment: { NPM_CONFIG_IGNORE_SCRIPTS: 'true' } }],
  ['production', { environment: { NODE_ENV: 'production' } }],
  ['scripts of the project', { manifestChange: { scripts: { postinstall: 'patch-package' } } }],
  ['workspaces', { manifestChange: { workspaces: ['packages/*'] } }],
  ['overrides', { manifestChange: { overrides: { a: '2' } } }],
  ['a dependency that is not locked', { manifestChange: { dependencies: { a: '^1.0.0', b: '1' } } }],
  ['another range than was locked', { manifestChange: { dependencies: { a: '^2.0.0' } } }],
  ['a dependency that was moved', { manifestChange: { dependencies: {}, devDependencies: { a: '^1.0.0' } } }],
  ['an old lockfile', { lockfileChange: { lockfileVersion: 1 } }],
  ['a broken lockfile', { lockfile: '{"lockfileVersion": 3,' }],
  ['a broken manifest', { manifest: '<<<<<<< HEAD' }],
])('BX427: %s is for npm itself', (_, change) => {
  expect(ask(change)).toBeNull()
})

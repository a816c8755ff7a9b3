import { expect, it } from 'vitest'
import { packagesOf, placeOf } from './parts.ts'

const one = (version: string, dependencies: Record<string, string> = {}) => ({
  version,
  integrity: `sha512-${version}`,
  dependencies,
})

it('takes what hosts of extensions need out of the package, and no pages, terminals or agents', () => {
  expect(placeOf('lib/vscode/out/server-main.js')).toBe('out/server-main.js')
  expect(placeOf('lib/vscode/out/vs/workbench/api/node/extensionHostProcess.js')).toBe(
    'out/vs/workbench/api/node/extensionHostProcess.js',
  )
  expect(placeOf('lib/vscode/extensions/ms-vscode.js-debug/src/extension.js')).toBe(
    'extensions/ms-vscode.js-debug/src/extension.js',
  )
  expect(placeOf('LICENSE')).toBe('LICENSE')
  for (const path of [
    'out/node/entry.js',
    'lib/vscode/out/vs/code/browser/workbench/workbench.js',
    'lib/vscode/out/vs/platform/terminal/node/ptyHostMain.js',
    'lib/vscode/extensions/copilot/package.json',
  ])
    expect(placeOf(path)).toBeUndefined()
})

it('finds each package where Node looks for it, the nearest first, and nothing else', () => {
  const packages = {
    '': { dependencies: { ws: '1', other: '1' } },
    'node_modules/ws': one('8.0.0', { ms: '^2' }),
    'node_modules/ws/node_modules/ms': one('2.0.0'),
    'node_modules/@a/b': one('1.0.0', { ms: '^1', ws: '^8' }),
    'node_modules/ms': one('1.0.0'),
    'node_modules/other': one('1.0.0'),
  }
  const found = packagesOf({ packages }, ['@a/b', 'ws'])
  expect(found.map(({ folder, name, version }) => `${folder} ${name} ${version}`).toSorted()).toEqual([
    'node_modules/@a/b @a/b 1.0.0',
    'node_modules/ms ms 1.0.0',
    'node_modules/ws ws 8.0.0',
    'node_modules/ws/node_modules/ms ms 2.0.0',
  ])
})

it('refuses a list that does not say which package is meant', () => {
  expect(() => packagesOf({ packages: {} }, ['ws'])).toThrow('node_modules/ws')
})

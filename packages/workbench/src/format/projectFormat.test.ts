import { expect, test } from 'vitest'
import { projectFormat } from './projectFormat.ts'

function formatOf(path: string, files: Record<string, string>) {
  return projectFormat(`/w/${path}`, {
    workspacePath: '/w',
    read: async (one) => files[one.slice('/w/'.length)],
    names: async (folder) => {
      const inner = folder.slice('/w/'.length)
      return Object.keys(files)
        .filter((name) => (inner === '' ? !name.includes('/') : name.startsWith(`${inner}/`)))
        .map((name) => name.slice(inner === '' ? 0 : inner.length + 1))
    },
  })
}
const optionsOf = async (path: string, files: Record<string, string>) => {
  const found = await formatOf(path, files)
  return found.kind === 'yes' ? found.options : found
}

test('WB875: what nothing is said about has the options of Prettier', async () => {
  expect(await formatOf('a.ts', {})).toEqual({ kind: 'yes', options: {}, isSaid: false, missing: [] })
})

test('WB875: what is outside of the workspace belongs to no project', async () => {
  const outside = projectFormat('/etc/a.json', {
    workspacePath: '/w',
    read: async () => 'semi: false',
    names: async () => [],
  })
  expect(await outside).toMatchObject({ kind: 'yes', isSaid: false })
})

test.each<[what: string, name: string, text: string]>([
  ['JSON', '.prettierrc', '{ "semi": false }'],
  ['JSON with tabs', '.prettierrc.json', '{\n\t"$schema": "x",\n\t"semi": false\n}'],
  ['YAML', '.prettierrc', 'semi: false'],
  ['YAML by name', '.prettierrc.yml', '# why\nsemi: false'],
  ['JSON5', '.prettierrc.json5', '{ semi: false, /* why */ }'],
  ['TOML', '.prettierrc.toml', 'semi = false'],
  ['package.json', 'package.json', '{ "name": "x", "prettier": { "semi": false } }'],
  ['package.yaml', 'package.yaml', 'prettier:\n  semi: false'],
  ['a module with a literal', 'prettier.config.mjs', "// why {}\nexport default { semi: false, } // '}'"],
  [
    'a module with a name',
    'prettier.config.ts',
    "import type { Config } from 'prettier'\nconst config: Config = {\n  semi: false,\n}\nexport default config",
  ],
  ['a module of CommonJS', '.prettierrc.cjs', '/** @type {x} */\nmodule.exports = { semi: false };'],
])('WB875: options stand in %s', async (_what, name, text) => {
  expect(await optionsOf('src/a.ts', { [name]: text })).toEqual({ semi: false })
})

test('WB875: the nearest configuration counts, and not a package.json that says nothing', async () => {
  const files = { '.prettierrc': 'semi: false', 'src/.prettierrc': 'tabWidth: 3', 'src/in/package.json': '{}' }
  expect(await optionsOf('a.ts', files)).toEqual({ semi: false })
  expect(await optionsOf('src/in/a.ts', files)).toEqual({ tabWidth: 3 })
})

test('WB875: overrides mean files by their names, from the folder of the configuration', async () => {
  const files = {
    '.prettierrc': JSON.stringify({
      semi: false,
      overrides: [
        { files: '*.test.ts', options: { semi: true } },
        { files: ['lib/**/*.ts'], excludeFiles: '*.d.ts', options: { tabWidth: 8 } },
      ],
    }),
  }
  expect(await optionsOf('src/a.test.ts', files)).toEqual({ semi: true })
  expect(await optionsOf('lib/deep/a.ts', files)).toEqual({ semi: false, tabWidth: 8 })
  expect(await optionsOf('lib/deep/a.d.ts', files)).toEqual({ semi: false })
})

test('WB875: .editorconfig says what Prettier’s own configuration does not', async () => {
  const files = {
    '.editorconfig': '[*]\nindent_style = tab\ntab_width = 8\nmax_line_length = 100\nquote_type = single',
    '.prettierrc': 'tabWidth: 3',
  }
  expect(await optionsOf('a.ts', files)).toEqual({ useTabs: true, tabWidth: 3, printWidth: 100, singleQuote: true })
})

test('WB876: what the project wants left alone is, and packages are', async () => {
  const files = { '.prettierignore': 'dist/\n*.min.js\n!keep.min.js' }
  expect(await formatOf('dist/a.ts', files)).toEqual({ kind: 'no' })
  expect(await formatOf('a.min.js', files)).toEqual({ kind: 'no' })
  expect(await formatOf('keep.min.js', files)).toMatchObject({ kind: 'yes' })
  expect(await formatOf('node_modules/x/a.js', files)).toEqual({ kind: 'no' })
})

test.each([
  ['prettier.config.js', "import base from 'x'\nexport default { ...base }", /is a program/],
  ['.prettierrc', '"@company/prettier"', /from the package @company\/prettier/],
  ['.prettierrc.json', '{ semi', /^\.prettierrc\.json can not be read: /],
  ['.prettierrc', '[]', /holds no options/],
])('WB876: a text is left alone when the project says what is not understood: %s', async (name, text, why) => {
  expect(await formatOf('a.ts', { [name]: text })).toEqual({ kind: 'no', why: expect.stringMatching(why) })
})

test('WB876: plugins that are not here are named', async () => {
  const files = { '.prettierrc': '{ "plugins": ["prettier-plugin-x"], "semi": false }' }
  expect(await formatOf('a.ts', files)).toMatchObject({ missing: ['prettier-plugin-x'], options: { semi: false } })
})

import { expect, it } from 'vitest'
import { readPostcssSettings } from './postcssSettings.ts'

const open = (files: Record<string, string>) => readPostcssSettings(new Map(Object.entries(files)))

it.each<[string, Record<string, string>]>([
  ['an object', { '/postcss.config.js': "module.exports = { plugins: { 'postcss-nesting': {} } }" }],
  ['a function', { '/postcss.config.cjs': "module.exports = (context) => ({ plugins: { 'postcss-nesting': {} } })" }],
  [
    'calls of what is required',
    { '/postcss.config.js': "module.exports = { plugins: [require('postcss-nesting')({})] }" },
  ],
  [
    'what is required',
    { '/postcss.config.js': "const n = require('postcss-nesting')\nmodule.exports = { plugins: [n] }" },
  ],
  ['what is imported', { '/postcss.config.mjs': "import n from 'postcss-nesting'\nexport default { plugins: [n()] }" }],
  ['names with options', { '/postcss.config.ts': "export default { plugins: [['postcss-nesting', {}]] }" }],
  ['JSON', { '/.postcssrc.json': '{ "plugins": { "postcss-nesting": {} } }' }],
  ['package.json', { '/package.json': '{ "postcss": { "plugins": { "postcss-nesting": {} } } }' }],
])('BB1106: plug-ins of PostCSS are read from %s', (_, files) => {
  const { plugins, notices } = open(files)
  expect([plugins.map(({ name }) => name), notices]).toEqual([['postcss-nesting'], []])
})

it('BB1106: options are values; what is switched off or done here anyway is left out', () => {
  const { path, plugins, notices } = open({
    '/postcss.config.js': `const order = { before: ['a', 1, true, null] }
module.exports = { map: false, plugins: { tailwindcss: {}, '@tailwindcss/postcss': {}, cssnano: false, 'postcss-off': false, 'postcss-order': order } }`,
  })
  expect(path).toBe('/postcss.config.js')
  expect(plugins).toEqual([{ name: 'postcss-order', options: { before: ['a', 1, true, null] } }])
  expect(notices).toEqual([])
})

it.each<[string, Record<string, string>, readonly string[] | undefined]>([
  ['package.json', { '/package.json': '{ "browserslist": ["chrome 60"] }' }, ['chrome 60']],
  [
    'package.json by purpose',
    { '/package.json': '{ "browserslist": { "production": ["ie 8"], "development": "chrome 60" } }' },
    ['chrome 60'],
  ],
  [
    '.browserslistrc',
    { '/.browserslistrc': '# ours\nchrome 60\n[production]\nie 8\n[development]\nfirefox 60\n' },
    ['chrome 60', 'firefox 60'],
  ],
  ['nothing', {}, undefined],
])('BB1106: browsers that a project is made for are those of %s', (_, files, targets) => {
  const { plugins } = open({ ...files, '/postcss.config.js': 'module.exports = { plugins: { autoprefixer: {} } }' })
  expect(plugins).toEqual([{ name: 'autoprefixer', options: targets ? { overrideBrowserslist: targets } : {} }])
})

it.each([
  ['everything', 'module.exports = make()(1, 2)', 'what it exports'],
  ['a part', 'module.exports = { ...base, plugins: {} }', 'a part of what it exports'],
  ['another syntax', "module.exports = { parser: 'sugarss', plugins: {} }", '"parser"'],
  ['a function as option', 'module.exports = { plugins: { "postcss-x": { filter: (one) => one } } }', '"postcss-x"'],
  ['a script of the project', "module.exports = { plugins: [require('./mine')] }", '"./mine"'],
  ['a choice', 'module.exports = { plugins: [isBuild ? one : two] }', 'plug-in 1'],
  ['what has to be called', 'module.exports = { plugins: all() }', '"plugins"'],
])('BB1107: what would have to be run is said: %s', (_, config, said) => {
  const { plugins, notices } = open({ '/postcss.config.js': config })
  expect(plugins).toEqual([])
  expect(notices).toEqual([expect.stringMatching(/^postcss\.config\.js: .*needs a devbox/)])
  expect(notices[0]).toContain(said)
})

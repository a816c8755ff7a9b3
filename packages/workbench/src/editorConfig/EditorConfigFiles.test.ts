import { expect, test } from 'vitest'
import { EditorConfigFiles } from './EditorConfigFiles.ts'

function open(files: Record<string, string>) {
  const asked: string[] = []
  const configs = new EditorConfigFiles({
    workspacePath: '/w',
    read: async (path) => {
      asked.push(path)
      return files[path]
    },
  })
  const sizes = async (path: string) =>
    (await configs.sectionsFor(path)).map(({ properties }) => properties.get('indent_size'))
  return { configs, asked, sizes, files }
}

test('WB872: files of inner folders come after those of outer ones, and none from outside a root', async () => {
  const { sizes } = open({
    '/w/.editorconfig': '[*]\nindent_size = 1\n[src/*]\nindent_size = 2',
    '/w/src/.editorconfig': '[*.js]\nindent_size = 3',
    '/w/lib/.editorconfig': 'root = true\n[*]\nindent_size = 4',
  })
  expect(await sizes('/w/src/a.js')).toEqual(['1', '2', '3'])
  expect(await sizes('/w/a.js')).toEqual(['1'])
  expect(await sizes('/w/lib/deep/a.js')).toEqual(['4'])
  expect(await sizes('/elsewhere/a.js')).toEqual([])
})

test('WB873: a file is read once, and again when something may have changed; the same text changes nothing', async () => {
  const { configs, asked, sizes, files } = open({ '/w/.editorconfig': '[*]\nindent_size = 1' })
  await sizes('/w/src/a.js')
  await sizes('/w/src/b.js')
  expect(asked).toEqual(['/w/.editorconfig', '/w/src/.editorconfig'])
  expect(configs.concerns('/w/other/a.js')).toBe(false)
  expect(configs.concerns('/w/other/.editorconfig')).toBe(true)
  expect(configs.concerns('/w/src')).toBe(true)
  expect(await configs.refresh()).toBe(false)
  files['/w/src/.editorconfig'] = '[*]\nindent_size = 2'
  expect(await configs.refresh()).toBe(true)
  expect(await sizes('/w/src/a.js')).toEqual(['1', '2'])
  delete files['/w/.editorconfig']
  expect(await configs.refresh()).toBe(true)
  expect(await sizes('/w/src/a.js')).toEqual(['2'])
})

test('a file that could not be read is asked for again', async () => {
  let isAway = true
  const configs = new EditorConfigFiles({
    workspacePath: '/w',
    read: async () => {
      if (isAway) throw new Error('away')
      return '[*]\nindent_size = 1'
    },
  })
  await expect(configs.sectionsFor('/w/a.js')).rejects.toThrow('away')
  isAway = false
  expect(await configs.sectionsFor('/w/a.js')).toHaveLength(1)
})

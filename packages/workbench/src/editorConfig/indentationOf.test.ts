import { expect, test } from 'vitest'
import { parseEditorConfig } from './editorConfigText.ts'
import { indentationOf } from './indentationOf.ts'

const said = (text: string) => indentationOf(parseEditorConfig(text).sections)

test.each([
  ['spaces of a size', '[*]\nindent_style = space\nindent_size = 4', { insertSpaces: true, size: 4 }],
  ['tabs of a size', '[*]\nindent_style=tab\nindent_size=8', { insertSpaces: false, size: 8 }],
  ['tabs without a size', '[*]\nindent_style = tab', { insertSpaces: false, size: 2 }],
  ['spaces without a size', '[*]\nindent_style = space', { insertSpaces: true, size: undefined }],
  ['a size without a style', '[*]\nindent_size = 3', { insertSpaces: true, size: 3 }],
  ['the width of tabs', '[*]\nindent_style = tab\ntab_width = 6', { insertSpaces: false, size: 6 }],
  ['a size above the width of tabs', '[*]\ntab_width = 8\nindent_size = 4', { insertSpaces: true, size: 4 }],
  ['a size that is no number', '[*]\nindent_size = tab\ntab_width = 5', { insertSpaces: true, size: 5 }],
  ['no number anywhere', '[*]\nindent_style = tab\nindent_size = tab', { insertSpaces: false, size: 2 }],
  ['a number with a unit', '[*]\nindent_style = space\nindent_size = 4px', { insertSpaces: true, size: undefined }],
  ['another style', '[*]\nindent_style = both\nindent_size = 4', { insertSpaces: true, size: 4 }],
  ['another style alone', '[*]\nindent_style = both', undefined],
  ['nothing about it', '[*]\ncharset = utf-8', undefined],
  ['a later section', '[*]\nindent_size = 2\n[*]\nindent_size = 4', { insertSpaces: true, size: 4 }],
  [
    'a later section that is wrong',
    '[*]\nindent_style = tab\nindent_size = 4\n[*]\nindent_style = no\nindent_size = no',
    { insertSpaces: false, size: 4 },
  ],
  ['a part of it later', '[*]\nindent_style = tab\n[*]\nindent_size = 4', { insertSpaces: false, size: 4 }],
])('WB870: %s', (_what, text, expected) => {
  expect(said(text)).toEqual(expected)
})

test('WB870: comments begin with # or ;, pairs have = or :, sections stand in brackets', () => {
  const { isRoot, sections } = parseEditorConfig(
    '\uFEFF# one\n; two\nroot: TRUE\r\n\n[*.js] ; three\nIndent_Style : tab\nindent_size=4\nno pair\n=no name\n[a=b]\nx = y:z=1\n',
  )
  expect(isRoot).toBe(true)
  expect(sections.map(({ glob, properties }) => [glob, ...properties])).toEqual([
    ['*.js', ['indent_style', 'tab'], ['indent_size', '4']],
    ['a=b', ['x', 'y:z=1']],
  ])
})

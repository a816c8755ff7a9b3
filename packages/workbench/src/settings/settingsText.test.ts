import { expect, it } from 'vitest'
import { settingsIn, withSettings } from './settingsText.ts'

it('WB802: settings are changed one by one, with the comments and the order of the file', () => {
  const text = '{\n    // larger\n    "editor.fontSize": 18,\n    "editor.wordWrap": "on",\n}\n'
  expect(settingsIn(text)).toEqual(
    new Map([
      ['editor.fontSize', '18'],
      ['editor.wordWrap', '"on"'],
    ]),
  )
  const changed = withSettings(
    text,
    new Map([
      ['editor.fontSize', '14'],
      ['editor.wordWrap', undefined],
      ['files.exclude', '{"**/x":true}'],
    ]),
  )
  expect(changed).toContain('// larger')
  expect(settingsIn(changed)).toEqual(
    new Map([
      ['editor.fontSize', '14'],
      ['files.exclude', '{"**/x":true}'],
    ]),
  )
  expect(settingsIn(withSettings('', new Map([['a', '1']])))).toEqual(new Map([['a', '1']]))
})

it('WB802: a file that is not well-formed is not taken for one without settings', () => {
  expect(settingsIn('{"a": ')).toBeUndefined()
  expect(settingsIn('[]')).toBeUndefined()
  expect(settingsIn('')).toEqual(new Map())
})

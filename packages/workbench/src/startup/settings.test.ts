import { expect, it } from 'vitest'
import { settingsDefaults } from './settings.ts'

it('WB36: the defaults are those of the product', () => {
  expect(settingsDefaults('dark')).toMatchObject({
    'editor.fontSize': 14,
    'editor.lineNumbersMinChars': 5,
    'editor.quickSuggestionsDelay': 10,
    'editor.formatOnSave': true,
    'files.autoSave': 'onFocusChange',
    'editor.minimap.enabled': false,
  })
})

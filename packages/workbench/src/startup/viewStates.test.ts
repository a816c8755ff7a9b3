import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const part = 'browser/parts/editor/editorWithViewState'
const source = readFileSync(
  fileURLToPath(import.meta.resolve(`@codingame/monaco-vscode-api/vscode/vs/workbench/${part}`)),
  'utf8',
)

it('WB987: the workbench remembers the places in 100 texts', () => {
  const [, given] = /this\.viewState = this\.getEditorMemento\(([^)]*)\)/.exec(source)!
  expect(given!.split(',').map((one) => one.trim())).toEqual([
    'editorGroupService',
    'textResourceConfigurationService',
    'viewStateStorageKey',
    '100',
  ])
})

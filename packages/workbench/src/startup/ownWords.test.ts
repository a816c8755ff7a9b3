import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { ownWords } from './ownWords.ts'

const source = (path: string) =>
  readFileSync(fileURLToPath(import.meta.resolve(`@codingame/monaco-vscode-api/vscode/vs/workbench/${path}`)), 'utf8')

it('WB846: the texts that are replaced are those of a file that is gone', () => {
  const gone = '"The editor could not be opened because the file was not found."'
  expect(source('browser/parts/editor/editorPlaceholder')).toContain(`localize(3700, ${gone})`)
  expect(source('contrib/files/browser/editors/textFileEditor')).toContain(`localize(10884, ${gone})`)
  expect(Object.keys(ownWords)).toEqual(['3700', '10884'])
})

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { costlySelector, rewritten } from './cheapSelectors.ts'

const vs = resolve(
  createRequire(import.meta.url).resolve(
    '@codingame/monaco-vscode-api/vscode/vs/platform/actionWidget/browser/actionList',
  ),
  '../../../..',
)
const styles = [
  'platform/actionWidget/browser/actionWidget.css',
  'workbench/browser/parts/views/media/views.css',
  'editor/browser/widget/markdownRenderer/browser/renderedMarkdown.css',
]

it.each(styles)('WB1130: %s of the workbench gets cheap selectors', async (file) => {
  const path = join(vs, file)
  const css = await readFile(path, 'utf8')
  expect(costlySelector(css)).toBeDefined()
  expect(costlySelector(rewritten(path, css)!)).toBeUndefined()
})

it('WB1130: a row of actions with a detail has the class that its looks ask after', async () => {
  const path = join(vs, 'platform/actionWidget/browser/actionList.js')
  const code = rewritten(path, await readFile(path, 'utf8'))
  expect(code).toMatch(
    /if \(element\.detail\) \{[^}]*container\.classList\.add\("has-detail"\);\s*\} else \{[^}]*classList\.remove\("has-detail"\)/,
  )
})

it('WB1130: a file that no longer has what is rewritten is an error', () => {
  expect(() => rewritten('/x/vs/platform/actionWidget/browser/actionWidget.css', '.other {}')).toThrow(
    'no longer contains',
  )
})

it.each([
  ['.a:has(.b:not([style*="none"])) {}', true],
  ['.a:has([class^="icon-"]) {}', true],
  ['.a { &:has(> .b:not(:empty)) {} }', true],
  ['.a:has(.b:not(.c), .d[style]) {}', true],
  ['.a:has(input[type="checkbox"]) {}', true],
  [':root:has([data-workbench]) {}', true],
  ['.a:has(input) .b[type="checkbox"] {}', false],
  ['.a:has(#one\\.two) {}', false],
  ['.a:has(.b) .c[class*="icon-"] {}', false],
  ['.a:has(.b) {} .c:not(:empty) {}', false],
])('WB1130: %s is costly: %s', (css, costly) => {
  expect(costlySelector(css) !== undefined).toBe(costly)
})

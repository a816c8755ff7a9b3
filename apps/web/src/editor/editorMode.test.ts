import { expect, it } from 'vitest'
import { addressInMode, editorLayoutOf, editorModeOf, showsTextFirst } from './editorMode.ts'

const at = (address: string) => new URL(address, 'https://app.example.org')

it('WB1015: opens the light editor where the address asks for it', () => {
  expect(editorModeOf(at('/devbox/abc?mode=integrated'))).toBe('integrated')
  expect(editorModeOf(at('/github/ada/app/main?file=a.ts&mode=integrated'))).toBe('integrated')
  for (const search of ['', '?mode=workbench', '?mode=', '?mode=other', '?mode=workbench&mode=integrated']) {
    expect(editorModeOf(at(`/devbox/abc${search}`))).toBe('workbench')
  }
  // That is the workbench with nothing around it.
  expect(editorModeOf(at('/vscode/abc?mode=integrated'))).toBe('workbench')
})

it('WB1015: begins with the columns that the address names', () => {
  expect(editorLayoutOf(at('/devbox/abc?layout=editor'))).toBe('editor')
  expect(editorLayoutOf(at('/devbox/abc?layout=preview'))).toBe('preview')
  for (const search of ['', '?layout=split', '?layout=nine']) {
    expect(editorLayoutOf(at(`/devbox/abc${search}`))).toBe('split')
  }
})

it('WB1072: a page begins with the text unless the light editor begins with the preview alone', () => {
  for (const search of ['', '?layout=preview', '?mode=integrated', '?mode=integrated&layout=editor'])
    expect([search, showsTextFirst(at(`/devbox/abc${search}`))]).toEqual([search, true])
  expect(showsTextFirst(at('/devbox/abc?mode=integrated&layout=preview'))).toBe(false)
  expect(showsTextFirst(at('/vscode/abc?mode=integrated&layout=preview'))).toBe(true)
})

it('WB1016: keeps what else the address says when the editor is changed', () => {
  const light = at('/devbox/abc?file=src%2Fa.ts&mode=integrated&layout=preview#top')
  expect(addressInMode(light, 'workbench')).toBe('/devbox/abc?file=src%2Fa.ts#top')
  expect(addressInMode(at('/devbox/abc'), 'integrated')).toBe('/devbox/abc?mode=integrated')
  expect(addressInMode(at('/devbox/abc?mode=integrated'), 'workbench')).toBe('/devbox/abc')
})

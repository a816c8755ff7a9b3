import { beforeEach, expect, it } from 'vitest'
import { editorPlaceOf, rememberEditorPlace, surroundingsOf } from './editorPlace.ts'

const KEY = 'boxyard.editor-place.abc'
const kept = new Map<string, string>()
const storage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
} as Storage
const place = { left: 300, top: 100, width: 500, height: 400, contentLeft: 70, fontSize: 16, lineHeight: 22 }

beforeEach(() => kept.clear())

it.each([
  ['/devbox/abc', 1440, 'workbench'],
  ['/devbox/abc', 374, 'workbench-small'],
  ['/devbox/abc?mode=integrated', 836, 'light'],
  ['/github/ada/app/main?mode=integrated', 835, 'light-small'],
  ['/vscode/abc?mode=integrated', 1440, 'bare'],
  ['/vscode/abc', 374, 'bare-small'],
  ['/devbox/abc?sidebar=false', 1440, 'workbench-closed'],
  ['/vscode/abc?sidebar=false', 836, 'bare-closed'],
  ['/devbox/abc?sidebar=false', 374, 'workbench-small'],
  ['/devbox/abc?mode=integrated&sidebar=false', 1440, 'light'],
  ['/devbox/abc?sidebar=search', 1440, 'workbench'],
])('WB1073, WB1067: the editor of %s in a window of %i pixels stands as in %s', (address, width, expected) => {
  const location = new URL(address, 'https://app.example.org') as unknown as Location
  const matchMedia = (query: string) =>
    ({ matches: width <= Number(/^\(max-width: (\d+)px\)$/.exec(query)![1]) }) as MediaQueryList
  expect(surroundingsOf({ location, matchMedia })).toBe(expected)
})

it('WB1073: keeps a place for each, and the file of the last visit to any', () => {
  expect(editorPlaceOf(storage, 'abc', 'light')).toMatchObject({ left: 240, top: 97 })
  rememberEditorPlace(storage, 'abc', 'workbench', { path: 'a.ts', ...place })
  rememberEditorPlace(storage, 'abc', 'light', { path: 'b.ts', ...place, left: 240 })
  expect(editorPlaceOf(storage, 'abc', 'workbench')).toEqual({ ...place, path: 'b.ts' })
  expect(editorPlaceOf(storage, 'abc', 'light')).toEqual({ ...place, left: 240, path: 'b.ts' })
  expect(editorPlaceOf(storage, 'abc', 'light-small')).toMatchObject({ left: 0, width: 0, path: 'b.ts' })
  expect(editorPlaceOf(storage, 'other', 'workbench')).not.toHaveProperty('path')
})

it('WB1067: an address without a side bar has a place of its own, where the next visit begins that says nothing of it', () => {
  expect(editorPlaceOf(storage, 'abc', 'workbench-closed')).toMatchObject({ left: 48, top: 97 })
  expect(editorPlaceOf(storage, 'abc', 'bare-closed')).toMatchObject({ left: 48, top: 57 })
  rememberEditorPlace(storage, 'abc', 'workbench', { path: 'a.ts', ...place })
  expect(editorPlaceOf(storage, 'abc', 'workbench-closed')).toMatchObject({ left: 48, path: 'a.ts' })
  rememberEditorPlace(storage, 'abc', 'workbench-closed', { path: 'a.ts', ...place, left: 50 })
  expect(editorPlaceOf(storage, 'abc', 'workbench-closed')).toMatchObject({ left: 50 })
  expect(editorPlaceOf(storage, 'abc', 'workbench')).toMatchObject({ left: 50 })
})

it.each(['no JSON', '7', 'null', '{"path":7,"places":7}', '{"places":null}', '{"places":{"light":{"left":"1"}}}'])(
  'WB1073: a page begins at the usual place when what is kept is %s',
  (text) => {
    kept.set(KEY, text)
    expect(editorPlaceOf(storage, 'abc', 'light')).toEqual(editorPlaceOf(storage, 'nothing', 'light'))
  },
)

it('WB1073: what an earlier version has kept names the file still', () => {
  kept.set(KEY, JSON.stringify({ path: 'a.ts', ...place }))
  expect(editorPlaceOf(storage, 'abc', 'workbench')).toMatchObject({ path: 'a.ts', left: 348 })
})

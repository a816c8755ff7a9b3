import { expect, it } from 'vitest'
import { filePlace } from './filePlace.ts'

it.each([
  ['src/App.tsx', 'src/App.tsx', undefined],
  ['/src/App.tsx', 'src/App.tsx', undefined],
  ['/src/App.tsx:12', 'src/App.tsx', { line: 12, column: 1 }],
  ['src/App.tsx:12:5', 'src/App.tsx', { line: 12, column: 5 }],
  ['a:1:2:3', 'a:1', { line: 2, column: 3 }],
  ['src/App.tsx:0', 'src/App.tsx:0', undefined],
  ['src/App.tsx:12:', 'src/App.tsx:12:', undefined],
  ['src/App.tsx:1234567890', 'src/App.tsx:1234567890', undefined],
  [':3', ':3', undefined],
  ['', '', undefined],
])('WB946: %j names a file, and a place in it only where a line follows', (text, path, position) => {
  expect(filePlace(text)).toEqual({ path, position })
})

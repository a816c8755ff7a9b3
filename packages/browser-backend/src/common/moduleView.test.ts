import { expect, it } from 'vitest'
import { moduleView } from './moduleView.ts'

it.each([
  ['?file=src/Part.tsx&moduleview', 'src/Part.tsx'],
  ['?file=/src/Part.tsx:12:5&moduleview=1', 'src/Part.tsx'],
  ['?moduleview=true&file=%2Fsrc%2FPart.tsx%3A3', 'src/Part.tsx'],
  ['?file=src/Part.tsx', null],
  ['?file=src/Part.tsx&moduleview=false', null],
  ['?file=src/Part.tsx&moduleview=0', null],
  ['?moduleview', null],
  ['', null],
])('BB27: the address %j wants %j to run in place of the page', (search, path) => {
  expect(moduleView(search)).toBe(path)
})

import { expect, it } from 'vitest'
import { barePath, boxOfPath, branchPathOf, isBarePath } from './barePage.ts'

it('an editor has a second address for itself alone, which names the same box', () => {
  expect(barePath('/devbox/abc')).toBe('/vscode/abc')
  expect(barePath('/sandbox/abc')).toBe('/vscode/abc')
  expect(barePath('/github/o/r/some/branch')).toBe('/vscode/github/o/r/some/branch')
  expect(['/devbox/abc', '/sandbox/abc', '/vscode/abc'].map(boxOfPath)).toEqual(['abc', 'abc', 'abc'])
  expect(boxOfPath('/vscode/github/o/r')).toBeUndefined()
  expect(branchPathOf('/vscode/github/o/r')).toBe('/github/o/r')
  expect(branchPathOf('/github/o/r')).toBe('/github/o/r')
  expect(['/vscode/abc', '/vscode', '/devbox/vscode'].map(isBarePath)).toEqual([true, false, false])
})

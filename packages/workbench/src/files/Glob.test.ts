import { expect, test } from 'vitest'
import { Glob } from './Glob.ts'

test.each<[pattern: string, yes: string[], no: string[]]>([
  ['*', ['a.js', 'src/deep/a.js', '.env'], []],
  ['*.js', ['a.js', 'src/deep/a.js', '.js'], ['a.jsx', 'js']],
  ['Makefile', ['Makefile', 'src/Makefile'], ['Makefile.in', 'aMakefile']],
  ['/*.js', ['a.js'], ['src/a.js']],
  ['src/*.js', ['src/a.js'], ['src/deep/a.js', 'lib/src/a.js']],
  ['src/**.js', ['src/a.js', 'src/deep/a.js'], ['a.js']],
  ['src/**/*.js', ['src/a.js', 'src/deep/er/a.js'], ['a.js', 'src/a.ts']],
  ['**/test/*', ['test/a', 'src/test/a'], ['test/a/b', 'atest/a']],
  ['*.{js,ts}', ['a.js', 'src/a.ts'], ['a.json', 'a.{js,ts}']],
  ['{a,b/*}.txt', ['a.txt', 'b/c.txt'], ['x/a.txt', 'b/c/d.txt']],
  ['*.{j{s,son},ts}', ['a.js', 'a.json', 'a.ts'], ['a.j']],
  ['a{b}c', ['a{b}c'], ['abc']],
  ['a{b,c', ['a{b,c'], ['ab']],
  ['{,a}b', ['b', 'ab'], ['aab']],
  ['file{1..12}', ['file1', 'file12'], ['file0', 'file13', 'file01', 'file']],
  ['{-2..2}', ['-2', '0', '2'], ['-3', '3']],
  ['?.js', ['a.js', 'src/b.js'], ['ab.js', '.js']],
  ['[ab].js', ['a.js', 'b.js'], ['c.js', '[ab].js']],
  ['[!ab].js', ['c.js'], ['a.js']],
  ['[a-c]1', ['a1', 'b1'], ['d1', '-1']],
  ['[ab', ['[ab'], ['a']],
  ['\\*.js', ['*.js'], ['a.js']],
])('WB871: %s', (pattern, yes, no) => {
  const glob = new Glob(pattern)
  expect(yes.filter((path) => !glob.matches(path))).toEqual([])
  expect(no.filter((path) => glob.matches(path))).toEqual([])
})

test('WB871: no pattern takes long', () => {
  const glob = new Glob(`${'{*a,**}'.repeat(60)}b`)
  expect(glob.matches('a'.repeat(300))).toBe(false)
})

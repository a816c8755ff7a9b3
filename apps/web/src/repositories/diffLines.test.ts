import { expect, it } from 'vitest'
import { diffLines } from './diffLines.ts'

it('numbers the lines of each side', () => {
  const patch = '@@ -1,2 +1,3 @@ title\n same\n-old\n+new\n+more\n\\ No newline at end of file\n@@ -10 +11 @@\n-x\n+y'
  expect(diffLines(patch).map(({ kind, left, right, text }) => [kind, left, right, text])).toEqual([
    ['hunk', null, null, '@@ -1,2 +1,3 @@ title'],
    ['same', 1, 1, 'same'],
    ['removed', 2, null, 'old'],
    ['added', null, 2, 'new'],
    ['added', null, 3, 'more'],
    ['hunk', null, null, '@@ -10 +11 @@'],
    ['removed', 10, null, 'x'],
    ['added', null, 11, 'y'],
  ])
})

import { describe, expect, it } from 'vitest'
import { isBranchName, isPushableRef, isRepositoryName, isTreePath } from './names.ts'

describe('names', () => {
  it.each(['todo', 'my.site', 'a-b_c', '.github'])('GH1: a repository may be called %s', (name) => {
    expect(isRepositoryName(name)).toBe(true)
  })
  it.each(['', '.', '..', 'a/b', '--upload-pack=x', 'x.git', 'x.GIT', 'a b', 'ä', 'x'.repeat(101), 'a\nb', 'a\0'])(
    'GH1: a repository may not be called %j',
    (name) => expect(isRepositoryName(name)).toBe(false),
  )
  it.each(['main', 'feature/a', 'a.b', 'fix-1', 'ö', 'a@b'])('GH2: a branch may be called %s', (name) => {
    expect(isBranchName(name)).toBe(true)
  })
  it.each([
    '',
    '-f',
    '--help',
    'HEAD',
    '@',
    'a..b',
    'a b',
    'a~1',
    'a^',
    'a:b',
    'a?',
    'a*',
    'a[',
    'a\\b',
    '/a',
    'a/',
    'a//b',
    'a/.b',
    'a.lock',
    'a.lock/b',
    'a.',
    'a@{1}',
    'a\nb',
    '../../x',
    'a'.repeat(241),
    '0123456789012345678901234567890123456789',
  ])('GH2: a branch may not be called %j', (name) => expect(isBranchName(name)).toBe(false))
  it('GH3: only branches and tags can be pushed', () => {
    const refs = ['refs/heads/main', 'refs/tags/v1', 'refs/pull/1/head', 'refs/heads/../x', 'HEAD', 'refs/replace/x']
    expect(refs.map(isPushableRef)).toEqual([true, true, false, false, false, false])
  })
  it.each(['', '/a', '../a', 'a/../b', 'a//b', '.git/config', 'a/.GIT/x', 'a\0b'])('GH4: %j is no path', (path) =>
    expect(isTreePath(path)).toBe(false),
  )
})

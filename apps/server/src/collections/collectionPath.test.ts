import { describe, expect, it } from 'vitest'
import { ancestorsOf, collectionPathSchema } from './collectionPath.ts'

describe('AP20: the path of a folder', () => {
  it.each([
    ['', '/'],
    ['/', '/'],
    ['apps', '/apps'],
    ['//apps/ web /', '/apps/web'],
    ['/e\u0301', '/\u00e9'],
  ])('%j is %j', (path, normalized) => expect(collectionPathSchema.parse(path)).toBe(normalized))

  it.each(['/..', '/a/./b', `/${'x'.repeat(101)}`, '/a'.repeat(21), '/a\u202eb', '/a\u0000'])('%j is refused', (path) =>
    expect(collectionPathSchema.safeParse(path).success).toBe(false),
  )

  it('has ancestors', () => {
    expect(ancestorsOf('/apps/web/x')).toEqual(['/', '/apps', '/apps/web'])
    expect(ancestorsOf('/')).toEqual([])
  })
})

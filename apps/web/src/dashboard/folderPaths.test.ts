import { describe, expect, it } from 'vitest'
import { childrenOf, folderNameProblem, joinPath, nameOf, parentOf, trailOf } from './folderPaths.ts'

const folder = (path: string) => ({ id: path, path, sandboxCount: 0 })
const all = ['/', '/b', '/a', '/a/inner', '/a/inner/deep'].map(folder)

describe('paths of folders', () => {
  it('are joined and taken apart', () => {
    expect(joinPath('/', 'a')).toBe('/a')
    expect(joinPath('/a', 'b')).toBe('/a/b')
    expect(nameOf('/a/b')).toBe('b')
    expect(parentOf('/a/b')).toBe('/a')
    expect(parentOf('/a')).toBe('/')
    expect(trailOf('/a/inner')).toEqual(['/', '/a', '/a/inner'])
    expect(trailOf('/')).toEqual(['/'])
  })

  it('lead to the folders right below, by name', () => {
    expect(childrenOf(all, '/').map(({ path }) => path)).toEqual(['/a', '/b'])
    expect(childrenOf(all, '/a').map(({ path }) => path)).toEqual(['/a/inner'])
    expect(childrenOf(all, '/b')).toEqual([])
  })

  it('refuse names that are empty, taken or hold a slash', () => {
    expect(folderNameProblem('new', all)).toBeNull()
    expect(folderNameProblem('  ', all)).toContain('name')
    expect(folderNameProblem('a/b', all)).toContain('slash')
    expect(folderNameProblem(' a ', all)).toContain('already')
  })
})

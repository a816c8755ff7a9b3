import { ROOT_ID, type TreeNode } from '@boxyard/protocol'
import { expect, it } from 'vitest'
import { foldersAbove, nameProblem, treeRows } from './treeRows.ts'

const nodes: TreeNode[] = [
  { id: 'readme', type: 0, name: 'README.md', parentId: ROOT_ID },
  { id: 'src', type: 1, name: 'src', parentId: ROOT_ID },
  { id: 'git', type: 1, name: '.git', parentId: ROOT_ID },
  { id: 'docs', type: 1, name: 'Docs', parentId: ROOT_ID },
  { id: 'ten', type: 0, name: 'part10.ts', parentId: 'src' },
  { id: 'two', type: 0, name: 'part2.ts', parentId: 'src' },
  { id: 'inner', type: 1, name: 'inner', parentId: 'src' },
  { id: 'deep', type: 0, name: 'deep.ts', parentId: 'inner' },
]
const tree = {
  children: (id: string) => nodes.filter(({ parentId }) => parentId === id),
  get: (id: string) => nodes.find((node) => node.id === id),
  idOf: (path: string) => {
    let id: string | undefined = ROOT_ID
    for (const name of path.split('/')) id = nodes.find((node) => node.parentId === id && node.name === name)?.id
    return id
  },
}
const shown = (...open: string[]) => treeRows(tree, new Set(open)).map(({ level, path }) => `${level} ${path}`)

it('WB1013: lists folders before files, each in the order of names, and what is in the open ones', () => {
  expect(shown()).toEqual(['1 Docs', '1 src', '1 README.md'])
  expect(shown('src')).toEqual(['1 Docs', '1 src', '2 src/inner', '2 src/part2.ts', '2 src/part10.ts', '1 README.md'])
  expect(shown('src', 'inner')).toContain('3 src/inner/deep.ts')
  // A folder in a closed one is not shown, open or not.
  expect(shown('inner')).toEqual(shown())
})

it('WB1013: tells each row where it stands', () => {
  expect(treeRows(tree, new Set(['src']))[4]).toEqual({
    id: 'ten',
    name: 'part10.ts',
    path: 'src/part10.ts',
    level: 2,
    isFolder: false,
    isOpen: false,
    place: 3,
    siblings: 3,
  })
})

it('WB1013: finds the folders that a file is in', () => {
  expect(foldersAbove(tree, 'src/inner/deep.ts')).toEqual(['src', 'inner'])
  expect(foldersAbove(tree, 'README.md')).toEqual([])
  expect(foldersAbove(tree, 'not/there.ts')).toEqual([])
})

it('WB1013: takes names that a file can have', () => {
  expect(nameProblem('app.ts', ['other.ts'])).toBeUndefined()
  expect(nameProblem('  ', [])).toBe('A name is needed')
  expect(nameProblem('a/b', [])).toBe('A name has no slashes')
  expect(nameProblem('..', [])).toBe('This name means a folder already')
  expect(nameProblem('app.ts', ['app.ts'])).toBe('app.ts is there already')
})

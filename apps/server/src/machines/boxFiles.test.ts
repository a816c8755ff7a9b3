import { NODE_DIRECTORY, NODE_FILE, ROOT_ID } from '@boxyard/protocol'
import { expect, it } from 'vitest'
import { pathsOf } from './boxFiles.ts'

it('AP901: the files of a box are listed by their paths, without what is installed and the history', () => {
  const folder = (id: string, name: string, parentId: string) => ({ id, type: NODE_DIRECTORY, name, parentId }) as const
  const file = (id: string, name: string, parentId: string) => ({ id, type: NODE_FILE, name, parentId }) as const
  const nodes = [
    { id: ROOT_ID, type: NODE_DIRECTORY } as const,
    folder('1', 'src', ROOT_ID),
    folder('2', 'node_modules', ROOT_ID),
    folder('3', 'deep', '2'),
    folder('4', '.git', ROOT_ID),
    file('5', 'App.tsx', '1'),
    file('6', 'index.js', '3'),
    file('7', 'HEAD', '4'),
    file('8', 'README.md', ROOT_ID),
    file('9', 'node_modules', '1'),
  ]
  expect(pathsOf(nodes)).toEqual(['src/App.tsx', 'README.md'])
})

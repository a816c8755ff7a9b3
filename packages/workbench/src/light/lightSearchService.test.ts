import { NODE_DIRECTORY, NODE_FILE, ROOT_ID } from '@boxyard/protocol'
import { URI } from '@codingame/monaco-vscode-api/vscode/vs/base/common/uri'
import { QueryType } from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/search/common/search'
import { expect, it, vi } from 'vitest'

vi.mock('../files/boxUri.ts', () => ({ boxScheme: () => 'file', boxUri: (path: string) => URI.file(path) }))

const { SearchProvider } = await import('../search/searchProvider.ts')
const { LightSearchService } = await import('./lightSearchService.ts')

const nodes = [
  { id: 'src', parentId: ROOT_ID, type: NODE_DIRECTORY, path: 'src' },
  { id: 'app', parentId: 'src', type: NODE_FILE, path: 'src/App.tsx' },
  { id: 'readme', parentId: ROOT_ID, type: NODE_FILE, path: 'README.md' },
]
const tree = {
  ready: Promise.resolve(),
  children: (id: string) => nodes.filter(({ parentId }) => parentId === id),
  pathOf: (id: string) => nodes.find((node) => node.id === id)?.path,
}

it('WB1063: the light editor finds the files of the box, whatever else offers to', async () => {
  const search = new LightSearchService(new SearchProvider({ tree } as never, '/project/workspace'))
  search.registerSearchResultProvider()
  const folderQueries = [{ folder: URI.file('/project/workspace') }]
  const found = async (filePattern: string) => {
    const { results } = await search.fileSearch({ type: QueryType.File, folderQueries, filePattern })
    return results.map(({ resource }) => resource.path)
  }
  expect(await found('app')).toEqual(['/project/workspace/src/App.tsx'])
  expect((await found('')).toSorted()).toEqual(['/project/workspace/README.md', '/project/workspace/src/App.tsx'])
  expect(await found('nothing')).toEqual([])
  expect(search.schemeHasFileSearchProvider('file')).toBe(true)
  expect(search.schemeHasFileSearchProvider('https')).toBe(false)
})

import { expect, it, vi } from 'vitest'

vi.mock('../files/boxUri.ts', () => ({ boxScheme: () => 'vscode-remote' }))

const { boxSearchService } = await import('./boxSearchService.ts')
const { SearchProvider } = await import('./searchProvider.ts')

const FILE = 0
const TEXT = 1
const AI = 2

it('WB910: what finds files and texts of the box stays, whatever a host of extensions there offers', () => {
  const kept = new Map<string, unknown>()
  class Searches {
    registerSearchResultProvider(scheme: string, type: number, provider: unknown) {
      kept.set(`${scheme} ${type}`, provider)
      return { dispose: () => kept.delete(`${scheme} ${type}`) }
    }
  }
  const search = new (boxSearchService(Searches))()
  const ours = new SearchProvider({} as never, '/project')
  for (const type of [FILE, TEXT]) search.registerSearchResultProvider('vscode-remote', type, ours)
  for (const scheme of ['vscode-remote', 'other']) {
    for (const type of [FILE, TEXT, AI]) search.registerSearchResultProvider(scheme, type, 'theirs' as never)
  }
  search.registerSearchResultProvider('vscode-remote', FILE, 'theirs' as never).dispose()
  expect(Object.fromEntries(kept)).toEqual({
    'vscode-remote 0': ours,
    'vscode-remote 1': ours,
    'vscode-remote 2': 'theirs',
    'other 0': 'theirs',
    'other 1': 'theirs',
    'other 2': 'theirs',
  })
})

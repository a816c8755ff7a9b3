import type { Uri } from 'monaco-editor'
import { expect, it } from 'vitest'
import { workspaceSymbols } from './workspaceSymbols.ts'

const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) }
const range = { start: { line: 2, character: 4 }, end: { line: 2, character: 9 } }
const place = { startLineNumber: 3, startColumn: 5, endLineNumber: 3, endColumn: 10 }

function provider(answers: Record<string, unknown>, isResolved = false) {
  const asked: unknown[] = []
  const server = {
    request: async (method: string, params: unknown) => {
      asked.push([method, params])
      return (answers[method] ?? null) as never
    },
  }
  const addressOf = (uri: string) => uri as unknown as Uri
  return { asked, symbols: workspaceSymbols({ server, isResolved, addressOf }) }
}

it('WB921: the names of the workspace come from its language server, with their kinds and places', async () => {
  const { asked, symbols } = provider({
    'workspace/symbol': [
      { name: 'answer', kind: 13, location: { uri: 'file:///w/a.ts', range } },
      { name: 'area', kind: 6, containerName: 'Shape', location: { uri: 'file:///w/b.ts', range } },
    ],
  })
  expect(await symbols.provideWorkspaceSymbols('a', token)).toEqual([
    { name: 'answer', kind: 12, location: { uri: 'file:///w/a.ts', range: place } },
    { name: 'area', kind: 5, containerName: 'Shape', location: { uri: 'file:///w/b.ts', range: place } },
  ])
  expect(asked).toEqual([['workspace/symbol', { query: 'a' }]])
})

it('WB921: a place that the server tells apart is asked for when somebody goes there', async () => {
  const found = { name: 'answer', kind: 13, location: { uri: 'file:///w/a.ts' }, data: 7 }
  const { asked, symbols } = provider(
    {
      'workspace/symbol': [found],
      'workspaceSymbol/resolve': { ...found, location: { uri: 'file:///w/a.ts', range } },
    },
    true,
  )
  const [symbol] = (await symbols.provideWorkspaceSymbols('a', token))!
  expect(symbol!.location.range).toBeUndefined()
  expect((await symbols.resolveWorkspaceSymbol!(symbol!, token))?.location.range).toEqual(place)
  expect(asked.at(-1)).toEqual(['workspaceSymbol/resolve', found])
})

it('WB921: where nothing is found nothing is offered', async () => {
  expect(await provider({}).symbols.provideWorkspaceSymbols('a', token)).toBeUndefined()
})

import type {
  IWorkspaceSymbol,
  IWorkspaceSymbolProvider,
} from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/search/common/search'
import type { Uri } from 'monaco-editor'
import { toRange, toSymbolKind } from 'monaco-languageserver-types'
import type * as lsp from 'vscode-languageserver-protocol'
import type { LanguageConnection } from './languageConnection.ts'

type Found = lsp.SymbolInformation | lsp.WorkspaceSymbol

export interface WorkspaceSymbolsOptions {
  server: Pick<LanguageConnection, 'request'>
  /** Whether the server tells the place of a symbol apart, when somebody goes there. */
  isResolved: boolean
  /** The editor's address of a place. */
  addressOf: (uri: string) => Uri
}

/** Lets the editor find by name what is made anywhere in the workspace. */
export function workspaceSymbols({ server, isResolved, addressOf }: WorkspaceSymbolsOptions): IWorkspaceSymbolProvider {
  /** What each was made of, for its place. */
  const known = new WeakMap<IWorkspaceSymbol, Found>()
  const shown = (found: Found): IWorkspaceSymbol => {
    const { name, kind, containerName, location } = found
    const range = 'range' in location ? toRange(location.range) : undefined
    const symbol = {
      name,
      kind: toSymbolKind(kind),
      ...(containerName && { containerName }),
      // Without a range the editor leads to the file alone.
      location: { uri: addressOf(location.uri), range } as IWorkspaceSymbol['location'],
    }
    known.set(symbol, found)
    return symbol
  }
  return {
    async provideWorkspaceSymbols(query, token) {
      const found = await server.request<Found[]>('workspace/symbol', { query }, token)
      return found?.map(shown)
    },
    async resolveWorkspaceSymbol(symbol, token) {
      const found = known.get(symbol)
      if (!isResolved || !found || 'range' in found.location) return symbol
      const whole = await server.request<Found>('workspaceSymbol/resolve', found, token)
      return whole ? shown(whole) : symbol
    },
  }
}

import { Disposable, type IDisposable } from '@codingame/monaco-vscode-api/vscode/vs/base/common/lifecycle'
import type { SyncDescriptor } from '@codingame/monaco-vscode-api'
import {
  SearchProviderType,
  type ISearchResultProvider,
} from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/search/common/search'
import { boxScheme } from '../files/boxUri.ts'
import { SearchProvider } from './searchProvider.ts'

interface Searches {
  registerSearchResultProvider(scheme: string, type: SearchProviderType, provider: ISearchResultProvider): IDisposable
}

/**
 * The search service of the workbench, in which our search alone finds files and texts of the box. A host of extensions in the box offers one of its
 * own as it starts, which would need a program that the box has not, and of two for the same files the service takes the last.
 */
export function boxSearchService(base: ConstructorParameters<typeof SyncDescriptor<Searches>>[0]): typeof base {
  return class extends base {
    override registerSearchResultProvider(scheme: string, type: SearchProviderType, provider: ISearchResultProvider) {
      const isSearch = type === SearchProviderType.file || type === SearchProviderType.text
      if (isSearch && scheme === boxScheme() && !(provider instanceof SearchProvider)) return Disposable.None
      return super.registerSearchResultProvider(scheme, type, provider)
    }
  }
}

import type { ISearchService } from '@codingame/monaco-vscode-api'
import { Disposable, type IDisposable } from '@codingame/monaco-vscode-api/vscode/vs/base/common/lifecycle'
import { boxScheme } from '../files/boxUri.ts'
import type { SearchProvider } from '../search/searchProvider.ts'

/** The search service of VS Code with one provider: it finds files and texts of the box, and nothing registers another. */
export class LightSearchService implements ISearchService {
  declare readonly _serviceBrand: undefined
  readonly #provider: SearchProvider

  constructor(provider: SearchProvider) {
    this.#provider = provider
  }

  fileSearch: ISearchService['fileSearch'] = (query) => this.#provider.fileSearch(query)

  textSearch: ISearchService['textSearch'] = (query, token, onProgress) =>
    this.#provider.textSearch(query, onProgress, token)

  textSearchSplitSyncAsync: ISearchService['textSearchSplitSyncAsync'] = (query, token, onProgress) => ({
    syncResults: { results: [], messages: [] },
    asyncResults: this.textSearch(query, token, onProgress),
  })

  aiTextSearch: ISearchService['aiTextSearch'] = async () => ({ results: [], messages: [] })

  getAIName = (): Promise<undefined> => this.#provider.getAIName()

  schemeHasFileSearchProvider = (scheme: string): boolean => scheme === boxScheme()

  clearCache = (): Promise<void> => this.#provider.clearCache()

  registerSearchResultProvider = (): IDisposable => Disposable.None
}

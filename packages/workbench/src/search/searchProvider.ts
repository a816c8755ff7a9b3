import type { FileSystemArea, StreamingSearch } from '@boxyard/dev-server-client'
import { NODE_FILE, ROOT_ID, type StreamingSearchResult } from '@boxyard/protocol'
import type { CancellationToken } from '@codingame/monaco-vscode-api/vscode/vs/base/common/cancellation'
import { parse, type IExpression } from '@codingame/monaco-vscode-api/vscode/vs/base/common/glob'
import { fuzzyContains } from '@codingame/monaco-vscode-api/vscode/vs/base/common/strings'
import {
  OneLineRange,
  TextSearchMatch,
  type IFileMatch,
  type IFileQuery,
  type ISearchComplete,
  type ISearchProgressItem,
  type ISearchResultProvider,
  type ITextQuery,
} from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/search/common/search'
import { boxUri } from '../files/boxUri.ts'
import { columnOf, searchOptions } from './searchText.ts'

const DEFAULT_MAXIMUM = 20_000

/** Search in the box: text by the dev server, file names in the synchronized tree. */
export class SearchProvider implements ISearchResultProvider {
  readonly #fs: FileSystemArea
  readonly #workspacePath: string

  constructor(fs: FileSystemArea, workspacePath: string) {
    this.#fs = fs
    this.#workspacePath = workspacePath
  }

  async getAIName(): Promise<undefined> {
    return undefined
  }

  async textSearch(
    query: ITextQuery,
    onProgress?: (item: ISearchProgressItem) => void,
    token?: CancellationToken,
  ): Promise<ISearchComplete> {
    const wanted = pathFilter(
      query.folderQueries[0]?.excludePattern?.map(({ pattern }) => pattern),
      query,
    )
    const found = new Map<string, IFileMatch>()
    const take = (matches: StreamingSearchResult[]) => {
      const fresh = new Map<string, IFileMatch>()
      for (const match of matches) {
        const path = this.#absolute(match.filepath)
        if (!wanted.file(path.slice(this.#workspacePath.length + 1))) continue
        for (const files of [found, fresh]) {
          let file = files.get(path)
          if (!file) files.set(path, (file = { resource: boxUri(path), results: [] }))
          file.results?.push(textMatch(match, query))
        }
      }
      for (const file of fresh.values()) onProgress?.(file)
    }
    const search: StreamingSearch = this.#fs.streamingSearch(
      { ...searchOptions(query.contentPattern), maxResults: query.maxResults ?? DEFAULT_MAXIMUM },
      take,
    )
    const cancellation = token?.onCancellationRequested(() => search.dispose())
    try {
      const { hitLimit } = await search.done
      return { results: [...found.values()], limitHit: hitLimit, messages: [] }
    } finally {
      cancellation?.dispose()
    }
  }

  async fileSearch(query: IFileQuery): Promise<ISearchComplete> {
    await this.#fs.tree.ready
    const wanted = pathFilter(
      query.folderQueries[0]?.excludePattern?.map(({ pattern }) => pattern),
      query,
    )
    const maximum = query.maxResults ?? DEFAULT_MAXIMUM
    const pattern = query.filePattern?.toLowerCase().replaceAll('\\', '/')
    const results: IFileMatch[] = []
    const directories = [ROOT_ID]
    for (let directory = directories.pop(); directory !== undefined; directory = directories.pop()) {
      for (const node of this.#fs.tree.children(directory)) {
        const path = this.#fs.tree.pathOf(node.id)
        if (path === undefined) continue
        if (node.type !== NODE_FILE) {
          if (wanted.directory(path)) directories.push(node.id)
        } else if (wanted.file(path) && (!pattern || fuzzyContains(path.toLowerCase(), pattern))) {
          if (results.length === maximum) return { results, limitHit: true, messages: [] }
          results.push({ resource: boxUri(this.#absolute(path)) })
        }
      }
    }
    return { results, limitHit: false, messages: [] }
  }

  // Nothing is cached: the tree is in memory.
  async clearCache(): Promise<void> {}

  #absolute(path: string): string {
    return path.startsWith('/') ? path : `${this.#workspacePath}/${path.replace(/^\.\//, '')}`
  }
}

interface PathFilter {
  /** Whether results in the directory can be wanted. */
  directory(path: string): boolean
  file(path: string): boolean
}

/** Paths are relative to the workspace. */
function pathFilter(
  folderExcludes: readonly IExpression[] | undefined,
  { includePattern, excludePattern }: { includePattern?: IExpression; excludePattern?: IExpression },
): PathFilter {
  const excluded = [...(folderExcludes ?? []), ...(excludePattern ? [excludePattern] : [])].map((glob) => parse(glob))
  const included = includePattern ? parse(includePattern) : () => true
  const directory = (path: string) => !excluded.some((isExcluded) => isExcluded(path))
  return { directory, file: (path) => directory(path) && Boolean(included(path)) }
}

function textMatch({ lines, lineNumber, submatches }: StreamingSearchResult, query: ITextQuery): TextSearchMatch {
  const line = lines.text.replace(/\r?\n$/, '')
  const ranges = submatches.map(
    ({ start, end }) => new OneLineRange(lineNumber - 1, columnOf(line, start), columnOf(line, end)),
  )
  return new TextSearchMatch(line, ranges, query.previewOptions)
}

import { folderOf, joinPath, normalizePath } from '../common/projectFiles.ts'
import type { ProjectFiles } from '../common/projectFiles.ts'
import type { Alias } from './alias.ts'

/** What an import means: a file of the project (its path with the query), a package, or an address that the browser loads itself. */
export type Resolved = { kind: 'file'; id: string } | { kind: 'package'; specifier: string } | { kind: 'external' }

const EXTENSIONS = ['', '.tsx', '.ts', '.jsx', '.js', '.mts', '.mjs', '.json', '.vue', '.svelte', '.css']
const INDEXES = EXTENSIONS.slice(1).map((extension) => `/index${extension}`)
/** TypeScript lets people import the file that it will be compiled to. */
const WRITTEN_AS: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts'],
}

/** Finds what `specifier` means in `importer`; undefined when a file of that name is not there. */
export function resolveImport(
  specifier: string,
  importer: string,
  files: Pick<ProjectFiles, 'has'>,
  aliases: readonly Alias[],
): Resolved | undefined {
  if (/^(?:[a-z]+:)?\/\//i.test(specifier) || /^(?:data|blob|https?):/i.test(specifier)) return { kind: 'external' }
  const [, path = '', query = ''] = /^([^?]*)(\?.*)?$/.exec(specifier) ?? []
  for (const { matches, targets, isFinal } of aliases) {
    const rest = matches(path)
    if (rest === undefined) continue
    for (const target of targets) {
      const meant = target.replaceAll('*', () => rest)
      if (!meant.startsWith('/')) return { kind: 'package', specifier: meant }
      const found = findFile(normalizePath(meant), files)
      if (found !== undefined) return { kind: 'file', id: found + query }
    }
    if (isFinal) return undefined
  }
  // Only the project itself gives such names a meaning.
  if (path.startsWith('#')) return undefined
  const wanted = path.startsWith('/')
    ? normalizePath(path)
    : /^\.{1,2}(?:\/|$)/.test(path)
      ? joinPath(folderOf(importer.split('?', 1)[0]!), path)
      : undefined
  if (wanted === undefined) return { kind: 'package', specifier: path }
  const found = findFile(wanted, files) ?? (files.has(`/public${wanted}`) ? `/public${wanted}` : undefined)
  return found === undefined ? undefined : { kind: 'file', id: found + query }
}

function findFile(path: string, files: Pick<ProjectFiles, 'has'>): string | undefined {
  for (const extension of EXTENSIONS) if (files.has(path + extension)) return path + extension
  for (const [written, real] of Object.entries(WRITTEN_AS)) {
    if (!path.endsWith(written)) continue
    const found = real.map((extension) => path.slice(0, -written.length) + extension).find((name) => files.has(name))
    if (found !== undefined) return found
  }
  return INDEXES.map((index) => normalizePath(path + index)).find((name) => files.has(name))
}

import type { Language } from './areas/language.ts'

/** Language, its extensions, whole names of files, and the server that knows it. */
const table: [id: string, extensions: string, names?: string, serverId?: ServerId][] = [
  ['typescript', 'ts mts cts', '', 'typescript'],
  ['typescriptreact', 'tsx', '', 'typescript'],
  ['javascript', 'js mjs cjs es6', '', 'typescript'],
  ['javascriptreact', 'jsx', '', 'typescript'],
  ['css', 'css', '', 'css'],
  ['scss', 'scss', '', 'css'],
  ['less', 'less', '', 'css'],
  ['html', 'html htm xhtml', '', 'html'],
  ['json', 'json webmanifest map', '.babelrc .prettierrc composer.lock', 'json'],
  ['jsonc', 'jsonc code-workspace', '.eslintrc tsconfig.json jsconfig.json', 'json'],
  ['markdown', 'md mdx markdown'],
  ['vue', 'vue'],
  ['svelte', 'svelte'],
  ['astro', 'astro'],
  ['yaml', 'yaml yml'],
  ['toml', 'toml'],
  ['xml', 'xml svg xsd xsl'],
  ['sql', 'sql'],
  ['graphql', 'graphql gql'],
  ['python', 'py pyi pyw'],
  ['go', 'go'],
  ['rust', 'rs'],
  ['java', 'java'],
  ['kotlin', 'kt kts'],
  ['swift', 'swift'],
  ['c', 'c h'],
  ['cpp', 'cpp cc cxx hpp hh hxx'],
  ['csharp', 'cs csx'],
  ['php', 'php phtml'],
  ['ruby', 'rb rake gemspec', 'Gemfile Rakefile'],
  ['shellscript', 'sh bash zsh', '.bashrc .zshrc .profile'],
  ['dockerfile', 'dockerfile', 'Dockerfile'],
  ['ini', 'ini conf properties', '.editorconfig .npmrc'],
]

export const serverIds = ['typescript', 'css', 'html', 'json'] as const
export type ServerId = (typeof serverIds)[number]

const words = (text: string): string[] => text.split(' ').filter((word) => word !== '')

/** The languages that dev servers tell files apart by, with the servers that are really there. */
export function listLanguages(available: ReadonlySet<ServerId>): Language[] {
  return table.map(([id, extensions, names = '', serverId]) => {
    const languageServerIds = serverId && available.has(serverId) ? [serverId] : []
    const suffixes = words(extensions).map((extension) => `.${extension}`)
    return {
      id,
      extensions: suffixes,
      globs: [...suffixes.map((suffix) => `*${suffix}`), ...words(names)],
      hasLanguageServer: languageServerIds.length > 0,
      languageServerIds,
    }
  })
}

/** Language and server of a file, by its name; undefined when no server knows it. */
export function languageOf(path: string): { languageId: string; serverId: ServerId } | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  const row =
    table.find(([, , names = '']) => words(names).includes(name)) ??
    table.find(([, extensions]) => words(extensions).includes(extension))
  return row?.[3] ? { languageId: row[0], serverId: row[3] } : undefined
}

/** Whether a server has to do with a language. Unknown ids have none. */
export function knows(serverId: ServerId, languageId: string): boolean {
  return table.some(([id, , , server]) => id === languageId && server === serverId)
}

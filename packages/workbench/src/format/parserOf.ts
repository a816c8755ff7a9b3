/** Languages of the editor, and what Prettier calls the parser of each. */
const byLanguage: Readonly<Record<string, string>> = {
  css: 'css',
  dockercompose: 'yaml',
  graphql: 'graphql',
  handlebars: 'glimmer',
  html: 'html',
  javascript: 'babel',
  javascriptreact: 'babel',
  json: 'json',
  jsonc: 'jsonc',
  less: 'less',
  markdown: 'markdown',
  mdx: 'mdx',
  scss: 'scss',
  typescript: 'typescript',
  typescriptreact: 'typescript',
  vue: 'vue',
  yaml: 'yaml',
}

/** Files that the editor may know no language for. */
const byExtension: Readonly<Record<string, string>> = {
  gql: 'graphql',
  graphql: 'graphql',
  json5: 'json5',
  mdx: 'mdx',
  vue: 'vue',
}

/** What npm writes, as it writes it. */
const WRITTEN_BY_PROGRAMS = /(?:^|\/)(?:package|package-lock|composer)\.json$/

/** The languages and files that are formatted. */
export const formattedLanguages: readonly string[] = Object.keys(byLanguage)
export const formattedFiles = `**/*.{${Object.keys(byExtension).join(',')}}`

/** The parser of a file by its name and its language; undefined when it is not one that is formatted. */
export function parserOf(path: string, languageId: string): string | undefined {
  if (WRITTEN_BY_PROGRAMS.test(path)) return 'json-stringify'
  return byLanguage[languageId] ?? byExtension[/\.([^./]+)$/.exec(path)?.[1] ?? '']
}

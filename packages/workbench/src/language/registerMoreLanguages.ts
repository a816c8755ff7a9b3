import { ExtensionHostKind, registerExtension } from '@codingame/monaco-vscode-api/extensions'
import { RegisteredReadOnlyFile, registerExtensionFile } from '@codingame/monaco-vscode-files-service-override'
import { Uri } from 'monaco-editor'
import { loadGrammar, moreGrammars, moreLanguages } from './moreLanguages.ts'

const pathOf = (scopeName: string) => `/${scopeName}.json`
const configurationOf = (id: string) => `/${id}.language.json`

/** The languages that VS Code does not bring; the grammar of each is fetched with its first text. */
export function registerMoreLanguages(): void {
  const { id } = registerExtension(
    {
      name: 'more-languages',
      publisher: 'boxyard',
      version: '1.0.0',
      engines: { vscode: '*' },
      contributes: {
        languages: moreLanguages.map(({ id, name, extensions }) => ({
          id,
          aliases: [name],
          extensions: [...extensions],
          configuration: `.${configurationOf(id)}`,
        })),
        grammars: [
          ...moreLanguages.map(({ id, scopeName, embedded }) => ({
            language: id,
            scopeName,
            path: `.${pathOf(scopeName)}`,
            embeddedLanguages: embedded,
          })),
          ...moreGrammars.map(({ scopeName, injectTo }) => ({
            scopeName,
            path: `.${pathOf(scopeName)}`,
            injectTo: [...injectTo],
          })),
        ],
      },
    },
    ExtensionHostKind.LocalWebWorker,
    { system: true },
  )
  const provide = (path: string, content: () => Promise<object>) => {
    const location = Uri.from({ scheme: 'extension-file', authority: id, path: `/extension${path}` })
    const read = async () => new TextEncoder().encode(JSON.stringify(await content()))
    registerExtensionFile(new RegisteredReadOnlyFile(location, read, 0))
  }
  for (const language of moreLanguages) provide(configurationOf(language.id), async () => language.configuration)
  for (const grammar of [...moreLanguages, ...moreGrammars])
    provide(pathOf(grammar.scopeName), () => loadGrammar(grammar))
}

import { ExtensionHostKind, registerExtension } from '@codingame/monaco-vscode-api/extensions'
import { RegisteredReadOnlyFile, registerExtensionFile } from '@codingame/monaco-vscode-files-service-override'
import { Uri } from 'monaco-editor'
import { moreThemes } from './moreThemes.ts'

/** The themes that a person can choose beside our two; each is fetched when it is looked at. */
export function registerMoreThemes(): void {
  const { id } = registerExtension(
    {
      name: 'more-themes',
      publisher: 'boxyard',
      version: '1.0.0',
      engines: { vscode: '*' },
      contributes: {
        themes: moreThemes.map(({ name, kind }, index) => ({
          id: name,
          label: name,
          uiTheme: kind,
          path: `./${index}.json`,
        })),
      },
    },
    ExtensionHostKind.LocalWebWorker,
    { system: true },
  )
  for (const [index, { load }] of moreThemes.entries()) {
    const location = Uri.from({ scheme: 'extension-file', authority: id, path: `/extension/${index}.json` })
    const read = async () => new TextEncoder().encode(JSON.stringify(await load()))
    registerExtensionFile(new RegisteredReadOnlyFile(location, read, 0))
  }
}

import { ExtensionHostKind, registerExtension } from '@codingame/monaco-vscode-api/extensions'
import { RegisteredMemoryFile, registerExtensionFile } from '@codingame/monaco-vscode-files-service-override'
import { Uri } from 'monaco-editor'
import type { ColorTheme } from './common/colorTheme.ts'
import { colorThemes } from './common/colorThemes.ts'
import { themeNames } from './common/themeNames.ts'

/** Adds our color themes as a built-in extension; call before `initialize`, so that the first paint has them. */
export function registerThemes(): void {
  const { id } = registerExtension(
    {
      name: 'themes',
      publisher: 'boxyard',
      version: '1.0.0',
      engines: { vscode: '*' },
      contributes: {
        themes: [
          { id: themeNames.dark, label: themeNames.dark, uiTheme: 'vs-dark', path: './dark.json' },
          { id: themeNames.light, label: themeNames.light, uiTheme: 'vs', path: './light.json' },
        ],
      },
    },
    ExtensionHostKind.LocalWebWorker,
    { system: true },
  )
  // Kept in memory: the page's policy lets nothing fetch an address made in the page.
  const file = (path: string, theme: ColorTheme) => {
    const location = Uri.from({ scheme: 'extension-file', authority: id, path: `/extension/${path}` })
    registerExtensionFile(new RegisteredMemoryFile(location, JSON.stringify(theme)))
  }
  file('dark.json', colorThemes.dark)
  file('light.json', colorThemes.light)
}

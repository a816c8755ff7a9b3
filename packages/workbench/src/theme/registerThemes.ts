import { ExtensionHostKind, registerExtension } from '@codingame/monaco-vscode-api/extensions'
import { colorTheme, type ColorTheme } from './colorTheme.ts'
import { themeNames } from './themeNames.ts'
import { darkTokens, lightTokens } from './tokens.ts'

/** Adds our color themes as a built-in extension; call before `initialize`, so that the first paint has them. */
export function registerThemes(): void {
  const { registerFileUrl } = registerExtension(
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
  const file = (path: string, theme: ColorTheme) => {
    const json = JSON.stringify(theme)
    registerFileUrl(path, URL.createObjectURL(new Blob([json], { type: 'application/json' })), {
      mimeType: 'application/json',
      size: new Blob([json]).size,
    })
  }
  file('dark.json', colorTheme(themeNames.dark, 'dark', darkTokens))
  file('light.json', colorTheme(themeNames.light, 'light', lightTokens))
}

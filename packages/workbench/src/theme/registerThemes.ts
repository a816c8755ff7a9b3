import { ExtensionHostKind, registerExtension } from '@codingame/monaco-vscode-api/extensions'
import { RegisteredMemoryFile, registerExtensionFile } from '@codingame/monaco-vscode-files-service-override'
import { Uri } from 'monaco-editor'
import type { ColorTheme } from './common/colorTheme.ts'
import { colorThemes } from './common/colorThemes.ts'
import { offeredThemes, themeFiles, THEMES_EXTENSION } from './common/themesExtension.ts'

/** Adds our color themes as a built-in extension; call before `initialize`, so that the first paint has them. */
export function registerThemes(): void {
  const { id } = registerExtension(
    {
      ...THEMES_EXTENSION,
      version: '1.0.0',
      engines: { vscode: '*' },
      contributes: {
        themes: offeredThemes(),
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
  file(themeFiles.dark, colorThemes.dark)
  file(themeFiles.light, colorThemes.light)
}

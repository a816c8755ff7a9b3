import { themeNames } from './themeNames.ts'

/** The built-in extension that brings our color themes, by which the workbench knows them. */
export const THEMES_EXTENSION = { name: 'themes', publisher: 'boxyard' } as const

/** Their files, by scheme, and the base that each builds on. */
export const themeFiles = { dark: 'dark.json', light: 'light.json' } as const
export const uiThemes = { dark: 'vs-dark', light: 'vs' } as const

/** The themes as the extension offers them. */
export function offeredThemes() {
  return (['dark', 'light'] as const).map((scheme) => ({
    id: themeNames[scheme],
    label: themeNames[scheme],
    uiTheme: uiThemes[scheme],
    path: `./${themeFiles[scheme]}`,
  }))
}

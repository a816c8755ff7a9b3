import { colorTheme, type ColorTheme } from './colorTheme.ts'
import { themeNames } from './themeNames.ts'
import { darkTokens, lightTokens } from './tokens.ts'

/** Our color themes, by scheme. */
export const colorThemes: Readonly<Record<'dark' | 'light', ColorTheme>> = {
  dark: colorTheme(themeNames.dark, 'dark', darkTokens),
  light: colorTheme(themeNames.light, 'light', lightTokens),
}

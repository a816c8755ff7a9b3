import { describe, expect, it } from 'vitest'
import { colorTheme } from './colorTheme.ts'
import { blackTokens, dimmedTokens } from './darkVariants.ts'
import { themeNames } from './themeNames.ts'
import { darkTokens, lightTokens } from './tokens.ts'

const themes = [
  colorTheme(themeNames.dark, 'dark', darkTokens),
  colorTheme(themeNames.light, 'light', lightTokens),
  colorTheme('Boxyard Dark Dimmed', 'dark', dimmedTokens),
  colorTheme('Boxyard Black', 'dark', blackTokens),
]

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = parseInt(color.slice(at, at + 2), 16) / 255
    return channel <= 0.03928 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

describe.each(themes)('the theme $name', (theme) => {
  const color = (name: string) => {
    const value = theme.colors[name]
    if (value === undefined) throw new Error(`no color ${name}`)
    return value
  }

  it('WB30: every color is a hexadecimal color', () => {
    for (const [name, value] of Object.entries(theme.colors))
      expect(value, name).toMatch(/^#[0-9A-Fa-f]{6}([0-9A-Fa-f]{2})?$/)
  })

  it('WB1079: the chosen row of a menu stands out, and is readable', () => {
    expect(contrast(color('menu.selectionBackground'), color('menu.background'))).toBeGreaterThanOrEqual(1.4)
    expect(contrast(color('menu.selectionForeground'), color('menu.selectionBackground'))).toBeGreaterThanOrEqual(4.5)
  })

  it.each([
    ['foreground', 'editor.background'],
    ['foreground', 'sideBar.background'],
    ['descriptionForeground', 'sideBar.background'],
    ['button.foreground', 'button.background'],
    ['list.activeSelectionForeground', 'list.activeSelectionBackground'],
    ['list.highlightForeground', 'sideBar.background'],
    ['tab.activeForeground', 'tab.activeBackground'],
    ['tab.inactiveForeground', 'tab.inactiveBackground'],
    ['tab.unfocusedInactiveForeground', 'tab.inactiveBackground'],
    ['statusBar.foreground', 'statusBar.background'],
    ['statusBarItem.remoteForeground', 'statusBarItem.remoteBackground'],
    ['statusBarItem.errorForeground', 'statusBarItem.errorBackground'],
    ['statusBarItem.warningForeground', 'statusBarItem.warningBackground'],
    ['textLink.foreground', 'editor.background'],
    ['terminal.foreground', 'terminal.background'],
    ['terminal.ansiRed', 'terminal.background'],
    ['terminal.ansiGreen', 'terminal.background'],
    ['terminal.ansiYellow', 'terminal.background'],
    ['terminal.ansiBlue', 'terminal.background'],
    ['terminal.ansiMagenta', 'terminal.background'],
    ['terminal.ansiCyan', 'terminal.background'],
  ])('WB31: %s on %s meets AA', (text, ground) => {
    expect(contrast(color(text), color(ground))).toBeGreaterThanOrEqual(4.5)
  })

  it('WB31: every color of code meets AA on the editor, and on its highlighted line', () => {
    for (const { scope, settings } of theme.tokenColors) {
      if (!settings.foreground) continue
      for (const ground of [color('editor.background'), color('editor.lineHighlightBackground')]) {
        expect(contrast(settings.foreground, ground), `${scope[0]} on ${ground}`).toBeGreaterThanOrEqual(4.5)
      }
    }
  })
})

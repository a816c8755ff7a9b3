import { getService } from '@codingame/monaco-vscode-api'
import { IThemeService } from '@codingame/monaco-vscode-api/vscode/vs/platform/theme/common/themeService.service'
import { isDark } from '@codingame/monaco-vscode-api/vscode/vs/platform/theme/common/theme'
import type { IColorTheme } from '@codingame/monaco-vscode-api/vscode/vs/platform/theme/common/themeService'
import type { ColorScheme } from '../startup/settings.ts'
import { themeNames } from './common/themeNames.ts'

/** What of a theme the page around the editor needs; colors as CSS knows them. */
export interface EditorColors {
  scheme: ColorScheme
  /** Null for our own two: the page has their colors. */
  palette: EditorPalette | null
}

export interface EditorPalette {
  ground: string
  panel: string
  raised: string
  text: string
  /** Null where the theme draws none. */
  line: string | null
}

/** Tells the colors of the theme that is shown, also of one that is only looked at: now and with each change. */
export async function followColors(tell: (colors: EditorColors) => void): Promise<void> {
  const themes = await getService(IThemeService)
  let last = ''
  const show = (theme: IColorTheme) => {
    // A stand-in, until the first one is loaded.
    if (theme.label === '') return
    const colors = colorsOf(theme)
    if (JSON.stringify(colors) === last) return
    last = JSON.stringify(colors)
    tell(colors)
  }
  themes.onDidColorThemeChange(show)
  show(themes.getColorTheme())
}

function colorsOf(theme: IColorTheme): EditorColors {
  const scheme = isDark(theme.type) ? 'dark' : 'light'
  if (Object.values(themeNames).some((name) => name === theme.label)) return { scheme, palette: null }
  const color = (...names: string[]) => {
    for (const name of names) {
      const found = theme.getColor(name)
      // What lets something through would show the page behind it.
      if (found && found.rgba.a === 1) return found.toString()
    }
    return null
  }
  const [ends, begins] = scheme === 'dark' ? ['#ffffff', '#000000'] : ['#000000', '#ffffff']
  const ground = color('editor.background') ?? begins
  const palette: EditorPalette = {
    ground,
    panel: color('titleBar.activeBackground', 'sideBar.background') ?? ground,
    raised: color('menu.background', 'dropdown.background', 'editorWidget.background') ?? ground,
    text: color('foreground', 'editor.foreground') ?? ends,
    line: color('titleBar.border', 'contrastBorder', 'sideBar.border', 'panel.border'),
  }
  return { scheme, palette }
}

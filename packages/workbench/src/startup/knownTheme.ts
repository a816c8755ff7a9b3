import type { ColorScheme } from './settings.ts'
import { colorThemes } from '../theme/common/colorThemes.ts'
import { THEMES_EXTENSION, themeFiles, uiThemes } from '../theme/common/themesExtension.ts'

/** Where the workbench keeps the theme of the last visit, with which the next one begins. */
const KEPT_THEME = 'colorThemeData'

/**
 * What storage answers for the theme of the last visit when there was none: ours, as the workbench itself would have kept it. Else it begins in
 * colors of its own, and no text has any before all extensions are known.
 */
export function knownTheme(scheme: ColorScheme): Record<string, string> {
  const { name, semanticHighlighting, colors, tokenColors } = colorThemes[scheme]
  const { publisher, name: extension } = THEMES_EXTENSION
  const path = themeFiles[scheme]
  return {
    [KEPT_THEME]: JSON.stringify({
      id: `${uiThemes[scheme]} ${`${publisher}-${extension}-${path}`.replaceAll(/[^\w-]/g, '-')}`,
      label: name,
      settingsId: name,
      themeTokenColors: tokenColors,
      semanticTokenRules: [],
      extensionData: {
        _extensionId: `${publisher}.${extension}`,
        _extensionIsBuiltin: true,
        _extensionName: extension,
        _extensionPublisher: publisher,
      },
      themeSemanticHighlighting: semanticHighlighting,
      colorMap: colors,
      watch: false,
    }),
  }
}

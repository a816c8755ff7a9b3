import { palettes, type Palette } from '@boxyard/ui/tokens'

/** The colors of one scheme, by role. Everything the workbench colors is derived from these. */
export interface ThemeTokens {
  ground: string
  panel: string
  raised: string
  hover: string
  line: string
  strongLine: string
  text: string
  quiet: string
  faint: string
  accent: string
  onAccent: string
  link: string
  added: string
  modified: string
  deleted: string
  /** Six hues of equal lightness: the kinds of code. */
  hues: { rose: string; amber: string; green: string; teal: string; blue: string; violet: string }
}

function tokensOf(palette: Palette): ThemeTokens {
  const [rose, amber, green, teal, blue, violet] = palette.people
  return {
    ground: palette.ground,
    panel: palette.panel,
    raised: palette.raised,
    hover: palette.hover,
    line: palette.line,
    strongLine: palette['line-strong'],
    text: palette.text,
    quiet: palette.quiet,
    faint: palette.faint,
    accent: palette.accent,
    onAccent: palette['on-accent'],
    link: palette.link,
    added: palette.success,
    modified: palette.warning,
    deleted: palette.danger,
    hues: { rose, amber, green, teal, blue, violet },
  }
}

export const darkTokens = tokensOf(palettes.dark)
export const lightTokens = tokensOf(palettes.light)

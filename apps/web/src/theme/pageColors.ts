import type { EditorColors, EditorPalette } from '@boxyard/workbench'

const key = 'boxyard.editor-colors'

/** The colors that the editor had last in this browser, when they were not the page's own. */
export function rememberedColors(storage: Pick<Storage, 'getItem'>): EditorColors | null {
  try {
    const stored: unknown = JSON.parse(storage.getItem(key) ?? 'null')
    return areColors(stored) ? stored : null
  } catch {
    // Storage may be closed to the page, or hold something else.
    return null
  }
}

export function rememberColors(storage: Pick<Storage, 'setItem' | 'removeItem'>, colors: EditorColors | null): void {
  try {
    if (colors) storage.setItem(key, JSON.stringify(colors))
    else storage.removeItem(key)
  } catch {
    // Without storage the next visit begins in the page's own colors.
  }
}

/** Gives the page the colors of a theme of the editor, or its own back. */
export function showPalette(
  style: Pick<CSSStyleDeclaration, 'setProperty' | 'removeProperty'>,
  palette: EditorPalette | null,
): void {
  for (const [name, value] of Object.entries(palette ? tokensOf(palette) : none)) {
    if (value === null) style.removeProperty(`--color-${name}`)
    else style.setProperty(`--color-${name}`, value)
  }
}

const none = {
  ground: null,
  panel: null,
  raised: null,
  hover: null,
  line: null,
  'line-strong': null,
  text: null,
  quiet: null,
  faint: null,
}

function tokensOf({ ground, panel, raised, text, line }: EditorPalette): Record<keyof typeof none, string> {
  const between = (percent: number) => `color-mix(in srgb, ${text} ${percent}%, ${panel})`
  return {
    ground,
    panel,
    raised,
    text,
    // It lies on each of the grounds, which themes have further apart than it is from one of them.
    hover: `color-mix(in srgb, ${text} 16%, transparent)`,
    line: line ?? between(16),
    'line-strong': between(32),
    quiet: between(84),
    faint: between(74),
  }
}

function areColors(value: unknown): value is EditorColors {
  if (typeof value !== 'object' || value === null || !('scheme' in value) || !('palette' in value)) return false
  const { scheme, palette } = value
  if (scheme !== 'dark' && scheme !== 'light') return false
  if (palette === null) return true
  const names = ['ground', 'panel', 'raised', 'text'] as const
  return (
    typeof palette === 'object' && names.every((name) => typeof (palette as Record<string, unknown>)[name] === 'string')
  )
}

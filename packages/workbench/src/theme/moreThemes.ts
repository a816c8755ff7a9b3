import { colorTheme } from './common/colorTheme.ts'
import { highContrastGrounds, withGrounds } from './common/highContrastGrounds.ts'
import { blackTokens, dimmedTokens } from './common/darkVariants.ts'
import type { ThemeTokens } from './common/tokens.ts'

export interface LateTheme {
  name: string
  /** VS Code's word for the kind of a theme. */
  kind: 'vs' | 'vs-dark' | 'hc-black' | 'hc-light'
  load(): Promise<object>
}

const own = (name: string, tokens: ThemeTokens): LateTheme => ({
  name,
  kind: 'vs-dark',
  load: async () => colorTheme(name, 'dark', tokens),
})

/** From the collection `tm-themes`, which keeps the licence of each (all MIT). */
const collected = (name: string, kind: LateTheme['kind'], load: () => Promise<{ default: object }>): LateTheme => ({
  name,
  kind,
  load: async () => {
    const { default: theme } = await load()
    if (kind !== 'hc-black' && kind !== 'hc-light') return theme
    return withGrounds(theme, highContrastGrounds[kind])
  },
})

export const moreThemes: readonly LateTheme[] = [
  own('Boxyard Dark Dimmed', dimmedTokens),
  own('Boxyard Black', blackTokens),
  collected('GitHub Light', 'vs', () => import('tm-themes/themes/github-light-default.json')),
  collected('GitHub Dark', 'vs-dark', () => import('tm-themes/themes/github-dark-default.json')),
  collected('GitHub Dark Dimmed', 'vs-dark', () => import('tm-themes/themes/github-dark-dimmed.json')),
  collected('GitHub Light High Contrast', 'hc-light', () => import('tm-themes/themes/github-light-high-contrast.json')),
  collected('GitHub Dark High Contrast', 'hc-black', () => import('tm-themes/themes/github-dark-high-contrast.json')),
  collected('Dracula', 'vs-dark', () => import('tm-themes/themes/dracula.json')),
  collected('Nord', 'vs-dark', () => import('tm-themes/themes/nord.json')),
  collected('One Dark Pro', 'vs-dark', () => import('tm-themes/themes/one-dark-pro.json')),
  collected('Tokyo Night', 'vs-dark', () => import('tm-themes/themes/tokyo-night.json')),
  collected('Night Owl', 'vs-dark', () => import('tm-themes/themes/night-owl.json')),
  collected('Catppuccin Mocha', 'vs-dark', () => import('tm-themes/themes/catppuccin-mocha.json')),
]

import { colorTheme } from './common/colorTheme.ts'
import { darkTokens, type ThemeTokens } from './common/tokens.ts'

export interface LateTheme {
  name: string
  /** VS Code's word for the kind of a theme. */
  kind: 'vs' | 'vs-dark' | 'hc-black' | 'hc-light'
  load(): Promise<object>
}

/** Softer than our own: less contrast between the ground and what stands on it. */
const dimmed: ThemeTokens = {
  ...darkTokens,
  ground: '#1E2126',
  panel: '#23272D',
  raised: '#2A2F36',
  hover: '#31373F',
  line: '#363C44',
  strongLine: '#474F59',
  faint: '#8D949E',
}

/** For screens that are dark where they are black. */
const black: ThemeTokens = {
  ...darkTokens,
  ground: '#000000',
  panel: '#000000',
  raised: '#121417',
  hover: '#1B1E22',
  line: '#2A2E34',
  strongLine: '#4A5058',
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
  load: async () => (await load()).default,
})

export const moreThemes: readonly LateTheme[] = [
  own('Boxyard Dark Dimmed', dimmed),
  own('Boxyard Black', black),
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

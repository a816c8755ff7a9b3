/**
 * Every colour, size and duration of the interface. `theme.css` and the editor's colour themes are generated from this file;
 * nothing else writes one.
 */
export const themeNames = ['dark', 'light'] as const
export type ThemeName = (typeof themeNames)[number]

/** Surfaces that text may lie on. */
export const groundNames = ['ground', 'panel', 'raised', 'hover'] as const
export type GroundName = (typeof groundNames)[number]

/** Colours that text may have. Each is readable on each ground. */
export const textNames = ['text', 'quiet', 'faint', 'accent', 'link', 'success', 'warning', 'danger'] as const
export type TextName = (typeof textNames)[number]

export const otherNames = ['line', 'line-strong', 'on-accent', 'member', 'guest', 'overlay'] as const
export type OtherName = (typeof otherNames)[number]

export type Palette = Readonly<Record<GroundName | TextName | OtherName, string>> & {
  /** Six hues of equal lightness, given to people by their client id. */
  readonly people: readonly [string, string, string, string, string, string]
}

export const palettes: Readonly<Record<ThemeName, Palette>> = {
  dark: {
    ground: '#0E0F11',
    panel: '#15171A',
    raised: '#1C1F23',
    hover: '#23272C',
    line: '#2A2E34',
    'line-strong': '#3B4048',
    text: '#E8EAED',
    quiet: '#A7ADB6',
    faint: '#8A919B',
    accent: '#F2A33A',
    'on-accent': '#17130B',
    link: '#6CB2FF',
    success: '#4CC38A',
    warning: '#E2B93B',
    danger: '#F4666A',
    member: '#FFE500',
    guest: '#FF5A5F',
    overlay: '#000000A6',
    people: ['#F4928A', '#E2A355', '#7FC581', '#30C8CF', '#84B2FD', '#D896DB'],
  },
  light: {
    ground: '#FFFFFF',
    panel: '#F6F7F8',
    raised: '#FFFFFF',
    hover: '#ECEEF0',
    line: '#E1E4E8',
    'line-strong': '#C9CED4',
    text: '#17191C',
    quiet: '#50565E',
    faint: '#646B74',
    accent: '#9A5B00',
    'on-accent': '#FFFFFF',
    link: '#0B62C4',
    success: '#18794E',
    warning: '#7F6200',
    danger: '#C62A2F',
    member: '#8F8000',
    guest: '#C62A2F',
    overlay: '#17191C66',
    people: ['#9C433F', '#8E5400', '#2F7434', '#00767E', '#3862A7', '#854888'],
  },
}

export const fonts = {
  sans: "'Inter Variable', system-ui, sans-serif",
  mono: "'JetBrains Mono Variable', ui-monospace, monospace",
} as const

/** Pixels. */
export const textSizes = [12, 13, 14, 16, 20, 28] as const
/** Pixels. */
export const radii = { control: 4, menu: 6, dialog: 10 } as const
/** Pixels. Below `wide` the side bar is a drawer and the editor shows one pane at a time. */
export const breakpoints = { phone: 374, wide: 836, full: 1440 } as const
/** Milliseconds. */
export const openDuration = 125
/** Milliseconds. */
export const tooltipDelay = 600

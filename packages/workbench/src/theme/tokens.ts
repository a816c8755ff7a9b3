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
  /** Six hues of equal lightness: people, and the kinds of code. */
  hues: { violet: string; blue: string; teal: string; green: string; amber: string; rose: string }
}

export const darkTokens: ThemeTokens = {
  ground: '#0E0F11',
  panel: '#15171A',
  raised: '#1C1F23',
  hover: '#23272C',
  line: '#2A2E34',
  strongLine: '#3B4048',
  text: '#E8EAED',
  quiet: '#A7ADB6',
  faint: '#767D87',
  accent: '#F2A33A',
  onAccent: '#17130B',
  link: '#6CB2FF',
  added: '#4CC38A',
  modified: '#E2B93B',
  deleted: '#F2555A',
  hues: { violet: '#B8A1FF', blue: '#7DB7FF', teal: '#5CCBC4', green: '#7CCB8B', amber: '#E8B25B', rose: '#F59AAE' },
}

export const lightTokens: ThemeTokens = {
  ground: '#FFFFFF',
  panel: '#F6F7F8',
  raised: '#FFFFFF',
  hover: '#ECEEF0',
  line: '#E1E4E8',
  strongLine: '#C9CED4',
  text: '#17191C',
  quiet: '#50565E',
  faint: '#6F767F',
  accent: '#9A5B00',
  onAccent: '#FFFFFF',
  link: '#0B62C4',
  added: '#18794E',
  modified: '#8A6A00',
  deleted: '#C62A2F',
  hues: { violet: '#6941C6', blue: '#0B62C4', teal: '#0B6E69', green: '#1F7A3D', amber: '#8F5A00', rose: '#B4235A' },
}

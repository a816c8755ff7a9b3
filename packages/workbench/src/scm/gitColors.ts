import { registerColor } from '@codingame/monaco-vscode-api/vscode/vs/platform/theme/common/colorUtils'

const defaults = {
  added: { dark: '#81b88b', light: '#587c0c', hcDark: '#a1e3ad', hcLight: '#374e06' },
  modified: { dark: '#e2c08d', light: '#895503', hcDark: '#e2c08d', hcLight: '#895503' },
  deleted: { dark: '#c74e39', light: '#ad0707', hcDark: '#c74e39', hcLight: '#ad0707' },
  renamed: { dark: '#73c991', light: '#007100', hcDark: '#73c991', hcLight: '#007100' },
  untracked: { dark: '#73c991', light: '#007100', hcDark: '#73c991', hcLight: '#007100' },
  conflicting: { dark: '#e4676b', light: '#ad0707', hcDark: '#c74e39', hcLight: '#ad0707' },
} as const

/** The colors of changed files, under the names that themes know them by; VS Code's own git extension would register them. */
export function registerGitColors(): void {
  for (const [name, colors] of Object.entries(defaults))
    registerColor(`gitDecoration.${name}ResourceForeground`, colors, `Color of ${name} files.`)
}

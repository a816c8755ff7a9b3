import { themeNames } from '../theme/common/themeNames.ts'

export type ColorScheme = 'dark' | 'light'

/** The editor's defaults. A person's own choices in the settings editor are kept above them. */
export function settingsDefaults(colorScheme: ColorScheme): Record<string, unknown> {
  return {
    'workbench.colorTheme': themeNames[colorScheme],
    'editor.fontFamily': "'JetBrains Mono Variable', 'JetBrains Mono', ui-monospace, monospace",
    'editor.fontSize': 14,
    'editor.lineNumbersMinChars': 5,
    'editor.quickSuggestionsDelay': 10,
    'editor.formatOnSave': true,
    'editor.minimap.enabled': false,
    'editor.tabSize': 2,
    'editor.cursorSmoothCaretAnimation': 'off',
    'files.autoSave': 'onFocusChange',
    // A panel that opens by itself covers the terminals.
    'comments.openView': 'never',
    'files.eol': '\n',
    'search.exclude': { '**/node_modules': true },
    // The field of the message takes no font of the page by itself.
    'scm.inputFontFamily': "'Inter Variable', system-ui, sans-serif",
    'terminal.integrated.fontFamily': "'JetBrains Mono Variable', 'JetBrains Mono', ui-monospace, monospace",
    'terminal.integrated.fontSize': 13,
    'terminal.integrated.enablePersistentSessions': false,
    'terminal.integrated.hideOnStartup': 'whenEmpty',
    'workbench.startupEditor': 'none',
    'workbench.layoutControl.enabled': false,
    'workbench.tips.enabled': false,
    'workbench.iconTheme': 'vs-seti',
    'window.commandCenter': false,
    'window.menuBarVisibility': 'compact',
    'security.workspace.trust.enabled': false,
    'chat.commandCenter.enabled': false,
    'chat.disableAIFeatures': true,
    // The registry is asked when somebody looks for an extension, not with each visit.
    'extensions.autoCheckUpdates': false,
    'extensions.ignoreRecommendations': true,
    // Types come from the packages that the box has installed.
    'typescript.disableAutomaticTypeAcquisition': true,
    'typescript.tsserver.web.typeAcquisition.enabled': false,
    'telemetry.telemetryLevel': 'off',
  }
}

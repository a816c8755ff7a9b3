import { configurationRegistry } from '@codingame/monaco-vscode-configuration-service-override'
import { SettingsEditor2 } from '@codingame/monaco-vscode-preferences-service-override/vscode/vs/workbench/contrib/preferences/browser/settingsEditor2'

/** VS Code keeps to itself how wide the editor of settings is at least, in pixels: more than a small window has beside the icons. */
const settingsEditor = SettingsEditor2 as unknown as { EDITOR_MIN_WIDTH: number }
const SMALL_SETTINGS = 280

/**
 * In a small window the list of terminals is a choice above them, which leaves them its width, and settings open as an editor, which scrolls, not in
 * a dialog that is wider than the window. These are defaults: what the person has set stays.
 */
export function keepNarrowDefaults(small: MediaQueryList): void {
  const largeSettings = settingsEditor.EDITOR_MIN_WIDTH
  const set = () => {
    settingsEditor.EDITOR_MIN_WIDTH = small.matches ? SMALL_SETTINGS : largeSettings
    const overrides = {
      'terminal.integrated.tabs.enabled': !small.matches,
      'workbench.editor.useModal': small.matches ? 'off' : 'some',
    }
    configurationRegistry.registerDefaultConfigurations([{ overrides }])
  }
  small.addEventListener('change', set)
  if (small.matches) set()
}

import { configurationRegistry } from '@codingame/monaco-vscode-configuration-service-override'

/**
 * In a small window the list of terminals is a choice above them, which leaves them its width, and settings open as an editor, which scrolls, not in
 * a dialog that is wider than the window. These are defaults: what the person has set stays.
 */
export function keepNarrowDefaults(small: MediaQueryList): void {
  const set = () => {
    const overrides = {
      'terminal.integrated.tabs.enabled': !small.matches,
      'workbench.editor.useModal': small.matches ? 'off' : 'some',
    }
    configurationRegistry.registerDefaultConfigurations([{ overrides }])
  }
  small.addEventListener('change', set)
  if (small.matches) set()
}

import { configurationRegistry } from '@codingame/monaco-vscode-configuration-service-override'

/** In a small window the list of terminals is a choice above them, which leaves them its width. A default: what the person has set stays. */
export function foldTerminalTabs(small: MediaQueryList): void {
  const set = () => {
    const overrides = { 'terminal.integrated.tabs.enabled': !small.matches }
    configurationRegistry.registerDefaultConfigurations([{ overrides }])
  }
  small.addEventListener('change', set)
  if (small.matches) set()
}

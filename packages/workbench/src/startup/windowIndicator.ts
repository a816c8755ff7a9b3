import type { WorkbenchProject } from '../index.ts'

/** What the corner of the status bar says about where the code, and the extensions of the person, run. */
export function windowIndicator(
  kind: WorkbenchProject['kind'],
  hasServer: boolean,
): { label: string; tooltip: string } {
  const name = kind === 'sandbox' ? 'Sandbox' : 'Devbox'
  if (hasServer)
    return {
      label: `$(package) ${name}`,
      tooltip: 'The editor is connected to a microVM, so server extensions can be installed.',
    }
  return {
    label: `$(package) ${name} (Web)`,
    tooltip: 'The editor runs in the browser, so only web extensions can be installed.',
  }
}

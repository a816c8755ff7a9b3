import type { WorkbenchProject } from '../index.ts'

/** What the corner of the status bar says about where the code runs. */
export function windowIndicator(kind: WorkbenchProject['kind']): { label: string; tooltip: string } {
  const name = kind === 'sandbox' ? 'Sandbox' : 'Devbox'
  return {
    label: `$(package) ${name} (Web)`,
    tooltip: 'The editor runs in the browser, so only web extensions can be installed.',
  }
}

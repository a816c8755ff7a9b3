import { Emitter } from '@boxyard/dev-server-client'
import type { IWorkbenchConstructionOptions } from '@codingame/monaco-vscode-api/vscode/vs/workbench/browser/web.api'
import type { WorkbenchProject } from '../index.ts'
import type { ServerLink, ServerLinkState } from '../vsCodeServer/ServerLink.ts'

type WindowIndicator = NonNullable<IWorkbenchConstructionOptions['windowIndicator']>

/** What the corner of the status bar says about where the code, and the extensions of the person, run. */
function wordsOf(
  kind: WorkbenchProject['kind'],
  state: ServerLinkState | undefined,
): { label: string; tooltip: string } {
  const name = kind === 'sandbox' ? 'Sandbox' : 'Devbox'
  if (state === 'connected' || state === 'away')
    return {
      label: `$(package) ${name}`,
      tooltip:
        state === 'away'
          ? 'The editor waits for the microVM. Server extensions go on when it is connected again.'
          : 'The editor is connected to a microVM, so server extensions can be installed.',
    }
  if (state === 'ended')
    return {
      label: `$(package) ${name} (Web)`,
      tooltip: 'The VS Code server has ended, so only web extensions run. Reload the window to connect to it again.',
    }
  return {
    label: `$(package) ${name} (Web)`,
    tooltip: 'The editor runs in the browser, so only web extensions can be installed.',
  }
}

/** The indicator, which follows the VS Code server that the page is connected to. */
export function windowIndicator(
  kind: WorkbenchProject['kind'],
  link: Pick<ServerLink, 'state' | 'onDidChange'> | undefined,
): WindowIndicator {
  const changes = new Emitter<void>()
  const indicator = { ...wordsOf(kind, link?.state), onDidChange: changes.event }
  link?.onDidChange(() => {
    Object.assign(indicator, wordsOf(kind, link.state))
    changes.fire()
  })
  return indicator
}

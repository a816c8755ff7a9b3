import type { DevServerClient } from '@boxyard/dev-server-client'
import { getService } from '@codingame/monaco-vscode-api'
import type { ITerminalInstance } from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/terminal/browser/terminal'
import {
  ITerminalGroupService,
  ITerminalService,
} from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/terminal/browser/terminal.service'
import { report } from '../status/report.ts'
import { offerRestart } from './offerRestart.ts'
import { shareNames } from './shareNames.ts'
import type { ShellRights } from './shellRights.ts'
import type { TerminalBackend } from './terminalBackend.ts'
import { TerminalOpener } from './terminalOpener.ts'

export async function openTerminals(
  client: DevServerClient,
  backend: TerminalBackend,
  rights: ShellRights,
): Promise<TerminalOpener> {
  const terminals = await getService(ITerminalService)
  const { shells } = client
  const shellOf = (terminal: ITerminalInstance) => backend.shellOf(terminal)
  shareNames<ITerminalInstance>({
    terminals,
    shells,
    shellOf,
    onError: (error) => report('The terminal was not renamed', error),
  })
  if (rights.write) {
    offerRestart({
      shellOf,
      restart: (shellId) => shells.restart(shellId),
      onError: (error) => report('The shell did not restart', error),
    })
  }
  return new TerminalOpener({
    backend,
    terminals,
    groups: await getService(ITerminalGroupService),
    shells,
    tasks: client.tasks,
    rights,
    username: () => client.clients.self?.username,
  })
}

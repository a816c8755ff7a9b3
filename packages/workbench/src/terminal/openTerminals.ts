import type { DevServerClient } from '@boxyard/dev-server-client'
import { getService } from '@codingame/monaco-vscode-api'
import {
  ITerminalGroupService,
  ITerminalService,
} from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/terminal/browser/terminal.service'
import type { TerminalBackend } from './terminalBackend.ts'
import { TerminalOpener } from './terminalOpener.ts'

export async function openTerminals(
  client: DevServerClient,
  backend: TerminalBackend,
  canWrite: boolean,
): Promise<TerminalOpener> {
  return new TerminalOpener({
    backend,
    terminals: await getService(ITerminalService),
    groups: await getService(ITerminalGroupService),
    shells: client.shells,
    tasks: client.tasks,
    canWrite,
    username: () => client.clients.self?.username,
  })
}

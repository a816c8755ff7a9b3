import { Codicon } from '@codingame/monaco-vscode-api/vscode/vs/base/common/codicons'
import {
  Action2,
  MenuId,
  registerAction2,
} from '@codingame/monaco-vscode-api/vscode/vs/platform/actions/common/actions'
import type { ServicesAccessor } from '@codingame/monaco-vscode-api/vscode/vs/platform/instantiation/common/instantiation'
import { INotificationService } from '@codingame/monaco-vscode-api/vscode/vs/platform/notification/common/notification.service'
import type { ITerminalInstance } from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/terminal/browser/terminal'
import { ITerminalService } from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/terminal/browser/terminal.service'
import { TerminalContextMenuGroup } from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/terminal/browser/terminalMenus'
import { TerminalContextKeys } from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/terminal/common/terminalContextKey'

export const RESTART_SHELL = 'boxyard.restartShell'

export interface RestartOptions {
  shellOf(terminal: ITerminalInstance): { readonly shellId: string } | undefined
  restart(shellId: string): Promise<void>
  onError(error: unknown): void
}

/** Adds the command that starts the program of a terminal anew in its place: a shell, or the command of a task. It is in the menus of terminals too. */
export function offerRestart({ shellOf, restart, onError }: RestartOptions): void {
  const menus = [MenuId.TerminalTabContext, MenuId.TerminalInstanceContext, MenuId.TerminalEditorInstanceContext]
  registerAction2(
    class extends Action2 {
      constructor() {
        super({
          id: RESTART_SHELL,
          title: { value: 'Restart Shell', original: 'Restart Shell' },
          category: { value: 'Terminal', original: 'Terminal' },
          f1: true,
          icon: Codicon.debugRestart,
          precondition: TerminalContextKeys.count.notEqualsTo(0),
          menu: menus.map((id) => ({ id, group: TerminalContextMenuGroup.Kill, order: 0 })),
        })
      }
      run(accessor: ServicesAccessor, _focused?: unknown, chosen?: unknown): void {
        const terminals = accessor.get(ITerminalService)
        const shells = chosenTerminals(terminals, chosen).flatMap((terminal) => shellOf(terminal) ?? [])
        if (shells.length === 0) accessor.get(INotificationService).info('No shell of this box is in front.')
        for (const { shellId } of shells) restart(shellId).catch(onError)
      }
    },
  )
}

/** Menus say which terminals they were opened on; else the active one is meant. */
function chosenTerminals(terminals: ITerminalService, chosen: unknown): ITerminalInstance[] {
  const named = (Array.isArray(chosen) ? chosen : []).flatMap((one: unknown) => {
    const id = typeof one === 'object' && one !== null && 'instanceId' in one ? Number(one.instanceId) : Number.NaN
    return terminals.getInstanceFromId(id) ?? []
  })
  if (named.length > 0) return named
  return terminals.activeInstance ? [terminals.activeInstance] : []
}

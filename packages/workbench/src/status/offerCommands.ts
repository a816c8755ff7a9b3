import type { CommandsArea } from '@boxyard/dev-server-client'
import type { IDisposable } from '@codingame/monaco-vscode-api/vscode/vs/base/common/lifecycle'
import { MenuId, MenuRegistry } from '@codingame/monaco-vscode-api/vscode/vs/platform/actions/common/actions'
import { CommandsRegistry } from '@codingame/monaco-vscode-api/vscode/vs/platform/commands/common/commands'

/** Puts what the dev server offers into the command palette, as long as it offers it. */
export function offerCommands(
  commands: Pick<CommandsArea, 'all' | 'onDidChange' | 'execute'>,
  category: string,
  report: (what: string, error: unknown) => void,
): void {
  let offered: IDisposable[] = []
  const offer = () => {
    for (const one of offered) one.dispose()
    offered = commands.all.flatMap(({ id: known, displayName }) => {
      // Ids of the dev server cannot stand for commands of the editor.
      const id = `boxyard.offered.${known}`
      return [
        CommandsRegistry.registerCommand(id, () => {
          commands.execute(known).catch((error: unknown) => report(`${displayName} did not work`, error))
        }),
        MenuRegistry.appendMenuItem(MenuId.CommandPalette, { command: { id, title: displayName, category } }),
      ]
    })
  }
  commands.onDidChange(offer)
  offer()
}

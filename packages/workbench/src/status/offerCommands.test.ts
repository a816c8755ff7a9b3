import { Emitter } from '@boxyard/dev-server-client'
import {
  isIMenuItem,
  MenuId,
  MenuRegistry,
} from '@codingame/monaco-vscode-api/vscode/vs/platform/actions/common/actions'
import { CommandsRegistry } from '@codingame/monaco-vscode-api/vscode/vs/platform/commands/common/commands'
import { expect, it } from 'vitest'
import { offerCommands } from './offerCommands.ts'

it('WB808: what the dev server offers is in the command palette as long as it offers it', async () => {
  const changes = new Emitter<readonly { id: string; displayName: string }[]>()
  const executed: string[] = []
  const failed: string[] = []
  const area = {
    all: [{ id: 'rebuild', displayName: 'Rebuild the container' }],
    onDidChange: changes.event,
    execute: async (id: string) => {
      executed.push(id)
      throw new Error('busy')
    },
  }
  offerCommands(area, 'Devbox', (what) => failed.push(what))
  const shown = () =>
    MenuRegistry.getMenuItems(MenuId.CommandPalette).flatMap((item) =>
      isIMenuItem(item) && item.command.id.startsWith('boxyard.offered.') ? [item.command] : [],
    )
  expect(shown()).toEqual([{ id: 'boxyard.offered.rebuild', title: 'Rebuild the container', category: 'Devbox' }])
  const run = CommandsRegistry.getCommand('boxyard.offered.rebuild')!.handler as () => void
  run()
  await expect.poll(() => failed).toEqual(['Rebuild the container did not work'])
  expect(executed).toEqual(['rebuild'])
  area.all = []
  changes.fire([])
  expect(shown()).toEqual([])
  expect(CommandsRegistry.getCommand('boxyard.offered.rebuild')).toBeUndefined()
})

import {
  getService,
  IExtensionsWorkbenchService,
  INotificationService,
  IProgressService,
} from '@codingame/monaco-vscode-api'
import { MenuId, MenuRegistry } from '@codingame/monaco-vscode-api/vscode/vs/platform/actions/common/actions'
import { CommandsRegistry } from '@codingame/monaco-vscode-api/vscode/vs/platform/commands/common/commands'
import { ContextKeyExpr } from '@codingame/monaco-vscode-api/vscode/vs/platform/contextkey/common/contextkey'
import { ProgressLocation } from '@codingame/monaco-vscode-api/vscode/vs/platform/progress/common/progress'
import { VIEWLET_ID } from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/extensions/common/extensions'
import { report } from '../status/report.ts'
import { chooseFiles } from './chooseFiles.ts'
import { explainMachines } from './explainMachines.ts'
import type { ExtensionPlace, KeptExtension } from './extensionPlace.ts'
import { extensionShelf } from './extensionShelf.ts'
import { needsOf, type Needs } from './neededExtensions.ts'
import { receiveFiles } from './receiveFiles.ts'

const INSTALL_COMMAND = 'boxyard.extensions.installFile'
const TITLE = 'Install from VSIX...'

/** What an extension needs, in words, and installing extensions from files: a command, an entry in the menu of the extension view, and files that are dropped there. */
export async function startExtensions({ keep, ...place }: ExtensionPlace, hasServer: boolean): Promise<void> {
  const server = hasServer ? await import('../vsCodeServer/installInBox.ts') : undefined
  if (!server) await explainMachines()
  // Without an account there is nowhere to keep them.
  if (!keep) return
  const progress = await getService(IProgressService)
  const installOne = async (file: File) => {
    if (server) {
      tellMissing(file.name, await server.installFileInBox(new Uint8Array(await file.arrayBuffer())))
      return
    }
    const shelf = await extensionShelf(place)
    const kept = await keep(file)
    const from = new URL(kept.location).pathname
    const id = kept.name.toLowerCase()
    const missing = await shelf.installNeeds(id, await readNeeds(kept))
    await shelf.install(id, { enabled: true, from })
    tellMissing(file.name, missing)
    // Where it can be seen, and taken away again.
    const view = await getService(IExtensionsWorkbenchService)
    const installed = (await view.queryLocal()).find(({ identifier }) => identifier.id.toLowerCase() === id)
    if (installed) await view.open(installed)
  }
  const notifications = await getService(INotificationService)
  const tellMissing = (name: string, missing: readonly string[]) => {
    if (missing.length === 0) return
    const these = missing.join(', ')
    notifications.warn(
      `${name} was installed without a part of its pack: the extension registry does not have ${these} for this editor.`,
    )
  }
  const install = async (files: readonly File[]) => {
    for (const file of files) {
      // What is quick shows what came of it alone: the workbench shows three notices in 800 ms, and keeps what comes after them out of sight.
      await progress
        .withProgress({ location: ProgressLocation.Notification, title: `Installing ${file.name}`, delay: 500 }, () =>
          installOne(file),
        )
        .catch((error: unknown) => report(`${file.name} was not installed`, error))
    }
  }
  CommandsRegistry.registerCommand(INSTALL_COMMAND, async () => install(await chooseFiles('.vsix')))
  const command = { id: INSTALL_COMMAND, title: TITLE }
  MenuRegistry.appendMenuItem(MenuId.CommandPalette, { command: { ...command, category: 'Extensions' } })
  MenuRegistry.appendMenuItem(MenuId.ViewContainerTitle, {
    command: { ...command, icon: { id: 'cloud-upload' } },
    when: ContextKeyExpr.equals('viewContainer', VIEWLET_ID),
    group: 'navigation',
    order: 0,
  })
  receiveFiles('.extensions-viewlet', '.vsix', (files) => void install(files))
}

/** What a file that is kept says that it needs. */
async function readNeeds({ name, location }: KeptExtension): Promise<Needs> {
  const answer = await fetch(`${location}/package.json`)
  if (!answer.ok) throw new Error(`What ${name} needs could not be read: ${answer.status}`)
  return needsOf(await answer.json())
}

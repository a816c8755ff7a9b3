import type { DevServerClient } from '@boxyard/dev-server-client'
import { getService, INotificationService, IQuickInputService, IStatusbarService } from '@codingame/monaco-vscode-api'
import { CommandsRegistry } from '@codingame/monaco-vscode-api/vscode/vs/platform/commands/common/commands'
import { MenuId, MenuRegistry } from '@codingame/monaco-vscode-api/vscode/vs/platform/actions/common/actions'
import { StatusbarAlignment } from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/statusbar/browser/statusbar'
import { NARROW } from '../layout/narrow.ts'
import { report } from '../status/report.ts'
import type { TextSync } from '../text/textSync.ts'
import { Following } from './following.ts'
import { startWindowCommands } from './windowCommands.ts'
import { workbenchEditor } from './workbenchEditor.ts'

const FOLLOW = 'boxyard.follow'
const UNFOLLOW = 'boxyard.unfollow'

export interface StartFollowingOptions {
  client: DevServerClient
  sync: TextSync
  workspacePath: string
}

/** Following, its commands and what the status bar says of it. */
export async function startFollowing({ client, sync, workspacePath }: StartFollowingOptions): Promise<Following> {
  const { clients, connection } = client
  const editor = await workbenchEditor(sync, workspacePath)
  const onError = (error: unknown) => {
    // Everything is subscribed to again when the connection is back.
    if (connection.state.kind === 'CONNECTED') report('Following does not work', error)
  }
  const following = new Following({ connection, clients, editor, onError })
  const quickInput = await getService(IQuickInputService)
  command(FOLLOW, 'Follow a Person', async () => {
    const others = clients.all.filter(({ clientId }) => clientId !== clients.self?.clientId)
    const chosen = await quickInput.pick(
      others.map(({ clientId, name, username }) => ({ label: name || username, description: username, clientId })),
      { placeHolder: others.length === 0 ? 'Nobody else is here' : 'Whom to follow' },
    )
    if (chosen) following.follow(chosen.clientId)
  })
  command(UNFOLLOW, 'Stop Following', () => following.stop())
  const notifications = await getService(INotificationService)
  const tell = (text: string) => notifications.info(text)
  startWindowCommands({ client, editor, tell, onError, addCommand: command })

  const statusBar = await getService(IStatusbarService)
  const small = window.matchMedia(NARROW)
  let shown: { dispose(): void } | undefined
  const show = (clientId: string | undefined) => {
    shown?.dispose()
    const followed = clients.all.find((each) => each.clientId === clientId)
    shown =
      followed &&
      statusBar.addEntry(
        entryOf(followed.name || followed.username, small.matches),
        'boxyard.following',
        StatusbarAlignment.LEFT,
        999,
      )
  }
  following.onDidChange(show)
  small.addEventListener('change', () => show(following.clientId))
  return following
}

/** A small status bar has room for the name alone, and cuts a long one off. */
const entryOf = (name: string, isSmall: boolean) => ({
  name: 'Following',
  text: `$(eye) ${isSmall ? '' : 'Following '}${name.replaceAll('$(', '$ (')}`,
  ariaLabel: `Following ${name}. Click to stop.`,
  tooltip: `You see the files and lines that ${name} sees. Typing, or this click, stops it.`,
  command: UNFOLLOW,
})

function command(id: string, title: string, run: () => void | Promise<void>): void {
  CommandsRegistry.registerCommand(id, run)
  MenuRegistry.appendMenuItem(MenuId.CommandPalette, { command: { id, title: `Boxyard: ${title}` } })
}

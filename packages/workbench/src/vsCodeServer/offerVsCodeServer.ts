import type { Connection } from '@boxyard/dev-server-client'
import { getService, INotificationService, IProgressService, IStatusbarService } from '@codingame/monaco-vscode-api'
import { Severity } from '@codingame/monaco-vscode-api/vscode/vs/platform/notification/common/notification'
import { MenuId, MenuRegistry } from '@codingame/monaco-vscode-api/vscode/vs/platform/actions/common/actions'
import { CommandsRegistry } from '@codingame/monaco-vscode-api/vscode/vs/platform/commands/common/commands'
import { ProgressLocation } from '@codingame/monaco-vscode-api/vscode/vs/platform/progress/common/progress'
import {
  type IStatusbarEntryAccessor,
  StatusbarAlignment,
} from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/statusbar/browser/statusbar'
import { NARROW } from '../layout/narrow.ts'
import { copyReport } from '../status/copyReport.ts'
import { report } from '../status/report.ts'
import { failureText, type ConnectedVsCodeServer } from './connectVsCodeServer.ts'
import { startVsCodeServer } from './startVsCodeServer.ts'
import { DISABLE_VS_CODE_SERVER, ENABLE_VS_CODE_SERVER } from './serverCommands.ts'
import type { ServerLink } from './ServerLink.ts'
import type { VsCodeServerPlace, VsCodeServerStart } from './vsCodeServerPlace.ts'
import { watchEnabling } from './watchEnabling.ts'

const ENABLE_TITLE = 'Enable VSCode Extensions'
const DISABLE_TITLE = 'Disable VSCode Extensions'

/** What a person can do about the VS Code server of the box: have it, where they may run programs there, or do without it again. */
export async function offerVsCodeServer(
  place: VsCodeServerPlace,
  connection: Pick<Connection, 'joined' | 'onDidJoin' | 'onDidChangePermissions'>,
  { server, failure }: ConnectedVsCodeServer,
  link: Pick<ServerLink, 'state' | 'onDidChange' | 'onDidEnd'> | undefined,
): Promise<void> {
  if (failure !== undefined) await explain(place, failure)
  const notifications = await getService(INotificationService)
  link?.onDidEnd((text) => {
    const reload = { label: 'Reload Window', run: () => leave(place, true) }
    const doWithout = { label: 'Do without it', run: () => leave(place, false) }
    notifications.prompt(Severity.Warning, text, [reload, doWithout], { sticky: true })
  })
  if (server) offer(DISABLE_VS_CODE_SERVER, DISABLE_TITLE, () => leave(place, false))
  const statusBar = await getService(IStatusbarService)
  let shown: IStatusbarEntryAccessor | undefined
  const small = window.matchMedia(NARROW)
  const button = () => buttonIn(small.matches)
  small.addEventListener('change', () => shown?.update(button()))
  let isCommand = false
  const offerEnabling = () => {
    if (isCommand) return
    isCommand = true
    offer(ENABLE_VS_CODE_SERVER, ENABLE_TITLE, () => {
      enable(place).catch((error: unknown) => report('VSCode Extensions were not enabled', error))
    })
  }
  if (!server) offerEnabling()
  watchEnabling(connection, link, (isOffered) => {
    if (isOffered) {
      offerEnabling()
      shown ??= statusBar.addEntry(button(), 'boxyard.vscode', StatusbarAlignment.LEFT, 900)
    } else {
      shown?.dispose()
      shown = undefined
    }
  })
}

/** A small status bar has no room for the words, which its name and the command palette have still. */
const buttonIn = (isSmall: boolean) => ({
  name: ENABLE_TITLE,
  text: isSmall ? '$(extensions)' : `$(extensions) ${ENABLE_TITLE}`,
  tooltip: 'Starts a VS Code server in the microVM for server extensions and debugging, and reloads the window.',
  ariaLabel: ENABLE_TITLE,
  command: ENABLE_VS_CODE_SERVER,
})

function offer(id: string, title: string, run: () => void): void {
  CommandsRegistry.registerCommand(id, run)
  MenuRegistry.appendMenuItem(MenuId.CommandPalette, { command: { id, title } })
}

async function enable(place: VsCodeServerPlace): Promise<void> {
  const progress = await getService(IProgressService)
  // The first time that anybody of this installation wants it, it has to be fetched.
  let cancel = () => {}
  const cancelled = new Promise<VsCodeServerStart>((resolve) => (cancel = () => resolve({ result: 'cancelled' })))
  const start = await progress.withProgress(
    { location: ProgressLocation.Notification, title: 'Starting VS Code Server', cancellable: true },
    () => Promise.race([startVsCodeServer(place), cancelled]),
    cancel,
  )
  if (start.result === 'running') leave(place, true)
  else await explain(place, failureText(start))
}

/** What the editor is connected to is decided when its page loads. */
function leave(place: VsCodeServerPlace, isWanted: boolean): void {
  place.setWanted(isWanted)
  window.location.reload()
}

async function explain(place: VsCodeServerPlace, text: string): Promise<void> {
  const notifications = await getService(INotificationService)
  notifications.prompt(Severity.Error, text, [
    { label: 'Try again', run: () => leave(place, true) },
    { label: 'Do without it', run: () => place.setWanted(false) },
    { label: 'Report an issue', run: () => copyReport(text) },
  ])
}

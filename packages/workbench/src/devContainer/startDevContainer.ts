import './devContainerLog.css'
import type { DevServerClient } from '@boxyard/dev-server-client'
import { getService, ICommandService, INotificationService } from '@codingame/monaco-vscode-api'
import { MenuId, MenuRegistry } from '@codingame/monaco-vscode-api/vscode/vs/platform/actions/common/actions'
import { CommandsRegistry } from '@codingame/monaco-vscode-api/vscode/vs/platform/commands/common/commands'
import { Severity } from '@codingame/monaco-vscode-api/vscode/vs/platform/notification/common/notification'
import type { ITerminalInstance } from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/terminal/browser/terminal'
import {
  ITerminalGroupService,
  ITerminalService,
} from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/terminal/browser/terminal.service'
import { copyReport } from '../status/copyReport.ts'
import { report } from '../status/report.ts'
import type { DevContainerLog } from './DevContainerLog.ts'
import { DEV_CONTAINER_LOG, LogProcess } from './logProcess.ts'
import { INSTALLATION_FAILED, watchDevContainer } from './watchDevContainer.ts'

const SHOW_LOG = 'boxyard.showDevContainerLog'
const HIDE_TOASTS = 'notifications.hideToasts'

export interface StartDevContainerOptions {
  client: Pick<DevServerClient, 'setup' | 'shells'>
  workspacePath: string
  canWrite: boolean
}

/** The log of the dev container of the box as a terminal, the command that shows it, and what is said when it can't be made. */
export async function startDevContainer({ client, workspacePath, canWrite }: StartDevContainerOptions): Promise<void> {
  const { setup, shells } = client
  await setup.ready
  const terminals = await getService(ITerminalService)
  const groups = await getService(ITerminalGroupService)
  const notifications = await getService(INotificationService)
  const commands = await getService(ICommandService)
  const failed = (error: unknown) => report('The log of the dev container did not open', error)
  let opening: Promise<ITerminalInstance> | undefined
  const open = (log: DevContainerLog): Promise<ITerminalInstance> => {
    if (opening) return opening
    const config = { name: DEV_CONTAINER_LOG, customPtyImplementation: () => new LogProcess(log, workspacePath) }
    const made = terminals.createTerminal({ config })
    opening = made
    made
      .then((terminal) => {
        terminal.domElement.classList.add('boxyard-log-terminal')
        return terminal.onDisposed(() => (opening = undefined))
      })
      .catch(() => (opening = undefined))
    return made
  }
  const showLog = async () => {
    if (!log) return
    terminals.setActiveInstance(await open(log))
    await groups.showPanel(true)
    // What failed stays among the notifications; its toast would lie over the end of the log.
    await commands.executeCommand(HIDE_TOASTS)
  }
  const log = watchDevContainer({
    setup,
    shells,
    canWrite,
    // It stands behind the person's own terminals, in a panel that stays closed.
    showLog: (shown) => void open(shown).catch(failed),
    tellFailure: (stepIndex, stepName) => {
      const choice = (label: string, run: () => Promise<void>, what: string) => ({
        label,
        run: () => void run().catch((error: unknown) => report(what, error)),
      })
      return notifications.prompt(
        Severity.Error,
        INSTALLATION_FAILED,
        // Short enough to stand beside each other in a small window.
        [
          { label: 'Show log', run: () => void showLog().catch(failed), keepOpen: true },
          ...(canWrite
            ? [
                choice('Try again', () => setup.setStep(stepIndex), 'The set-up did not go on'),
                choice('Skip step', () => setup.skip(stepIndex), 'The step was not skipped'),
              ]
            : []),
          {
            label: 'Report issue',
            run: () => copyReport(`${INSTALLATION_FAILED} Its step ${stepName} failed.`),
            keepOpen: true,
          },
        ],
        { sticky: true },
      )
    },
    onError: (error) => report('The set-up did not begin', error),
  })
  if (!log) return
  CommandsRegistry.registerCommand(SHOW_LOG, () => void showLog().catch(failed))
  MenuRegistry.appendMenuItem(MenuId.CommandPalette, {
    command: { id: SHOW_LOG, title: 'Boxyard: Show the Dev Container Log' },
  })
}

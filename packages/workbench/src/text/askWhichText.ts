import type { TextFile } from '@boxyard/dev-server-client'
import type { INotificationService } from '@codingame/monaco-vscode-api'
import { Severity } from '@codingame/monaco-vscode-api/vscode/vs/platform/notification/common/notification'
import { report } from '../status/report.ts'

/** Asks which text of a file stays when the box and this page have different ones. No answer leaves both as they are. */
export function askWhichText(notifications: INotificationService, file: TextFile): void {
  const keep = (side: 'client' | 'server') => () => {
    file.resolve(side).catch((error: unknown) => report(`${file.path} is still out of step`, error))
  }
  notifications.prompt(
    Severity.Warning,
    `${file.path} differs between this page and the box. Both texts are safe. Choose the one to go on with.`,
    [
      { label: 'Keep this page’s text', run: keep('client') },
      { label: 'Take the box’s text', run: keep('server') },
    ],
    { sticky: true },
  )
}

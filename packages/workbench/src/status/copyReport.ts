import { getService, INotificationService } from '@codingame/monaco-vscode-api'
import { report } from './report.ts'

/** Puts a report on what went wrong into the clipboard: whoever runs this server is the one who can do something about it. */
export function copyReport(text: string): void {
  const copy = async () => {
    await navigator.clipboard.writeText(`${text}\n${window.location.href}\n${navigator.userAgent}\n`)
    const notifications = await getService(INotificationService)
    notifications.info('The report is in the clipboard. Send it to the administrator of this server.')
  }
  copy().catch((error: unknown) => report('The report was not copied', error))
}

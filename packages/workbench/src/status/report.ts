import { getService, INotificationService } from '@codingame/monaco-vscode-api'
import { onUnexpectedError } from '@codingame/monaco-vscode-api/vscode/vs/base/common/errors'

/** Tells the person what did not work, with the reason. */
export function report(what: string, error: unknown): void {
  const why = error instanceof Error ? error.message : String(error)
  getService(INotificationService).then((notifications) => notifications.error(`${what}: ${why}`), onUnexpectedError)
}

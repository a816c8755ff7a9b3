import { getService, IFileService, INotificationService, IUserDataProfileService } from '@codingame/monaco-vscode-api'
import type { INotificationHandle } from '@codingame/monaco-vscode-api/vscode/vs/platform/notification/common/notification'
import { Severity } from '@codingame/monaco-vscode-api/vscode/vs/platform/notification/common/notification'
import { unknownKeys } from './unknownKeys.ts'

/** Says which names in the person's key bindings no key has: the editor itself passes over such a binding. */
export async function watchKeyBindings(onError: (error: unknown) => void): Promise<void> {
  const files = await getService(IFileService)
  const notifications = await getService(INotificationService)
  const { keybindingsResource: file } = (await getService(IUserDataProfileService)).currentProfile
  let shown: INotificationHandle | undefined
  let said = ''
  const look = async () => {
    const names = (await files.exists(file)) ? unknownKeys((await files.readFile(file)).value.toString()) : []
    const message = names.length === 0 ? '' : `unknown keybinding key: ${names.join(', ')}`
    if (message === said) return
    said = message
    shown?.close()
    shown = message === '' ? undefined : notifications.notify({ severity: Severity.Warning, message })
  }
  files.watch(file)
  files.onDidFilesChange((event) => {
    if (event.affects(file)) look().catch(onError)
  })
  await look()
}

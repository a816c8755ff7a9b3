import { IWorkingCopyBackupService, SyncDescriptor, type IEditorOverrideServices } from '@codingame/monaco-vscode-api'
import getWorkingCopy from '@codingame/monaco-vscode-working-copy-service-override'
import { boxBackupService } from '../backup/boxBackupService.ts'

/** What keeps texts that are not saved, without those of the box. */
export function workingCopyServices(workspacePath: string): IEditorOverrideServices {
  const services = getWorkingCopy()
  const name = IWorkingCopyBackupService.toString()
  const { ctor } = services[name] as SyncDescriptor<IWorkingCopyBackupService>
  return { ...services, [name]: new SyncDescriptor(boxBackupService(ctor, workspacePath)) }
}

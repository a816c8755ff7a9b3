import {
  IWorkingCopyBackupService,
  IWorkingCopyHistoryService,
  SyncDescriptor,
  type IEditorOverrideServices,
} from '@codingame/monaco-vscode-api'
import getWorkingCopy from '@codingame/monaco-vscode-working-copy-service-override'
import { boxBackupService } from '../backup/boxBackupService.ts'
import { boxHistoryService } from '../backup/boxHistoryService.ts'

/** What keeps texts that are not saved, without those of the box, and those that were saved. */
export function workingCopyServices(workspacePath: string): IEditorOverrideServices {
  const services = getWorkingCopy()
  const backups = IWorkingCopyBackupService.toString()
  const history = IWorkingCopyHistoryService.toString()
  const ctorOf = <Service>(name: string) => (services[name] as SyncDescriptor<Service>).ctor
  return {
    ...services,
    [backups]: new SyncDescriptor(boxBackupService(ctorOf<IWorkingCopyBackupService>(backups), workspacePath)),
    [history]: new SyncDescriptor(boxHistoryService(ctorOf<IWorkingCopyHistoryService>(history))),
  }
}

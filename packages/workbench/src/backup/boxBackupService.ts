import type { SyncDescriptor } from '@codingame/monaco-vscode-api'
import {
  NO_TYPE_ID,
  type IWorkingCopyBackupMeta,
  type IWorkingCopyIdentifier,
} from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/workingCopy/common/workingCopy'
import type { IWorkingCopyBackupService } from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/workingCopy/common/workingCopyBackup.service'
import { isBoxUri } from '../files/boxUri.ts'

/**
 * The workbench's own copies of what is not saved, for everything but the texts that are edited together. Of those the box has the text with what is
 * not saved, and FileBackup what the box has not. A copy of its own says who typed it nowhere: brought back and saved by itself, it would write an older
 * text over what others have done since.
 */
export function boxBackupService(
  base: ConstructorParameters<typeof SyncDescriptor<IWorkingCopyBackupService>>[0],
  workspacePath: string,
): typeof base {
  const isShared = ({ resource, typeId }: IWorkingCopyIdentifier): boolean =>
    typeId === NO_TYPE_ID && isBoxUri(resource) && resource.path.startsWith(`${workspacePath}/`)
  return class extends base {
    override hasBackupSync(...given: Parameters<IWorkingCopyBackupService['hasBackupSync']>) {
      return isShared(given[0]) || super.hasBackupSync(...given)
    }

    override async backup(...given: Parameters<IWorkingCopyBackupService['backup']>) {
      if (!isShared(given[0])) await super.backup(...given)
    }

    override async resolve<T extends IWorkingCopyBackupMeta>(identifier: IWorkingCopyIdentifier) {
      return isShared(identifier) ? undefined : super.resolve<T>(identifier)
    }

    override async getBackups() {
      return (await super.getBackups()).filter((one) => !isShared(one))
    }
  }
}

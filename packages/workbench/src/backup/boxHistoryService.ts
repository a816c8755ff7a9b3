import type { SyncDescriptor } from '@codingame/monaco-vscode-api'
import type { IWorkingCopyHistoryService } from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/workingCopy/common/workingCopyHistory.service'

/**
 * The workbench's history of what was saved here. It takes the time of a save from the file on disk, which is not told of a text that is edited together:
 * that one's saves have the time at which they are noted. Saves of one time would count as one, and leave the last of them alone.
 */
export function boxHistoryService(
  base: ConstructorParameters<typeof SyncDescriptor<IWorkingCopyHistoryService>>[0],
): typeof base {
  return class extends base {
    override addEntry(...[entry, token]: Parameters<IWorkingCopyHistoryService['addEntry']>) {
      return super.addEntry({ ...entry, timestamp: entry.timestamp || Date.now() }, token)
    }

    override async getEntries(...given: Parameters<IWorkingCopyHistoryService['getEntries']>) {
      // A page that goes while it notes a save leaves a text of which nobody knows the time.
      return (await super.getEntries(...given)).filter(({ timestamp }) => timestamp > 0)
    }
  }
}

import { BrowserFileUpload } from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/files/browser/fileImportExport'
import { uploadFailureText, type FailedUpload } from './uploadFailureText.ts'

/** What the workbench's upload keeps to itself: one call for everything, and one for each file and folder in it. */
interface Uploading {
  doUpload(...given: unknown[]): Promise<void>
  doUploadEntry(entry: { name: string; fullPath?: string }, ...given: unknown[]): Promise<unknown>
}

/** Has an upload go on behind a file that fails, and tells at its end which ones did. The workbench itself tells one reason, and no name. */
export function tellFailedUploads(tell: (text: string) => void): void {
  const uploading = BrowserFileUpload.prototype as unknown as Uploading
  const { doUpload, doUploadEntry } = uploading
  const failures = new WeakMap<object, FailedUpload[]>()
  uploading.doUploadEntry = async function (this: object, entry, ...given) {
    try {
      return await doUploadEntry.call(this as Uploading, entry, ...given)
    } catch (error) {
      failures.get(this)?.push({ name: (entry.fullPath ?? entry.name).replace(/^\//, ''), error })
      return undefined
    }
  }
  uploading.doUpload = async function (this: object, ...given) {
    const failed: FailedUpload[] = []
    failures.set(this, failed)
    await doUpload.call(this as Uploading, ...given)
    if (failed.length > 0) tell(uploadFailureText(failed))
  }
}

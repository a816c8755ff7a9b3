import { useApp } from '../App.ts'
import { exportSandbox } from '../exportSandbox.ts'

/** Saves all files of a sandbox as an archive, and tells why when that does not go. */
export function useDownload(sandbox: Parameters<typeof exportSandbox>[1]): () => void {
  const app = useApp()
  return () => {
    exportSandbox(app, sandbox).catch((error: unknown) => {
      const body = error instanceof Error ? error.message : String(error)
      app.notices.add({ uniqueName: 'download', tone: 'error', title: 'The files were not downloaded', body })
    })
  }
}

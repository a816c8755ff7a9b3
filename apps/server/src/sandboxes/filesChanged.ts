import { z } from 'zod'

/** The event that says that files of a sandbox without a machine came, changed or went. It carries shortids, not content. */
export const FILES_CHANGED = 'sandboxFilesChanged'

const shortids = z.array(z.string())
export const filesChangedSchema = z.object({
  sandboxId: z.string(),
  /** The open page that did it, by its id in the sandbox's room. */
  by: z.string().nullable(),
  modules: shortids,
  directories: shortids,
  removedModules: shortids,
  removedDirectories: shortids,
})
export type FilesChanged = z.infer<typeof filesChangedSchema>
export type ChangedFiles = Omit<FilesChanged, 'sandboxId' | 'by'>

/** The event that says that a sandbox without a machine was made of files that somebody brought. */
export const FILES_BROUGHT = 'sandboxFilesBrought'
export const filesBroughtSchema = z.object({ sandboxId: z.string() })

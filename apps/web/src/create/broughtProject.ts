/** What somebody brought, ready to be sent. */
export interface BroughtProject {
  name: string
  archive: Blob
}

const LARGEST_ARCHIVE = 32 * 1024 * 1024

export function broughtArchive(file: File): BroughtProject {
  if (!/\.zip$/i.test(file.name)) throw new Error(`${file.name} is no zip archive. Bring a .zip file.`)
  if (file.size > LARGEST_ARCHIVE)
    throw new Error('The archive is larger than 32 MB. Leave out what can be installed again.')
  return { name: file.name.replace(/\.zip$/i, ''), archive: file }
}

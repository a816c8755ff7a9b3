/** The files of a project by absolute path in it: `/src/App.tsx`. Text is text, everything else is bytes. */
export type ProjectFiles = Map<string, string | Uint8Array>

export const joinPath = (folder: string, path: string): string => normalizePath(`${folder}/${path}`)

/** A path without `.`, `..` and double slashes; it never leaves the root. */
export function normalizePath(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}

export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'

export const extensionOf = (path: string): string => /\.[^./]+$/.exec(path)?.[0].toLowerCase() ?? ''

import type { Folder } from './sandboxQueries.ts'

/** Folders are named by their path from the workspace, `/a/b`; `/` is the workspace itself. */
export const joinPath = (parent: string, name: string): string => (parent === '/' ? `/${name}` : `${parent}/${name}`)

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'

/** The folders right below one, by name. */
export const childrenOf = (folders: readonly Folder[], path: string): Folder[] =>
  folders
    .filter((folder) => folder.path !== '/' && folder.path !== path && parentOf(folder.path) === path)
    .toSorted((a, b) => nameOf(a.path).localeCompare(nameOf(b.path)))

/** The way from the workspace down to a folder, both included. */
export function trailOf(path: string): string[] {
  const trail = ['/']
  for (const name of path.split('/').filter(Boolean)) trail.push(joinPath(trail.at(-1)!, name))
  return trail
}

/** Why a name can't be the name of a folder, or null when it can. */
export function folderNameProblem(name: string, siblings: readonly Folder[]): string | null {
  const trimmed = name.trim()
  if (trimmed === '') return 'Give the folder a name'
  if (trimmed.includes('/')) return 'A name has no slash. Make the outer folder first, then one inside it.'
  if (siblings.some((folder) => nameOf(folder.path) === trimmed)) return `There is a folder “${trimmed}” here already`
  return null
}

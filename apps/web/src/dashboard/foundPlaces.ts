import { nameOf } from './folderPaths.ts'
import type { Folder, Repository } from './sandboxQueries.ts'

/** The folders and repositories of a workspace whose names have every word in them, at most so many of each. */
export function foundPlaces(
  text: string,
  folders: readonly Folder[],
  repositories: readonly Repository[],
  most = 10,
): { folders: Folder[]; repositories: Repository[] } {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return { folders: [], repositories: [] }
  const has = (name: string) => words.every((word) => name.toLowerCase().includes(word))
  return {
    folders: folders.filter(({ path }) => path !== '/' && has(nameOf(path))).slice(0, most),
    repositories: repositories.filter(({ owner, name }) => has(`${owner}/${name}`)).slice(0, most),
  }
}

import { ApiError } from '@boxyard/api'
import type { GitHost, HostRepository } from '@boxyard/git-host'

/** More parts than a branch's name has. */
const MOST_PARTS = 10

/** A folder of a repository at a branch. */
export interface GitPlace {
  username: string
  repo: string
  branch: string
  /** Empty for its root. */
  path: string
  commitSha: string | null
}

/** What an address of the git host names: `owner/repo`, or `owner/repo/tree/branch/folder`. Null for any other address. */
export function parseGitPath(path: string): { owner: string; name: string; tree: string[] } | null {
  const [owner, name, kind, ...tree] = path.split('/').filter((part) => part !== '')
  if (owner === undefined || name === undefined) return null
  if (kind === undefined) return { owner, name, tree: [] }
  if (kind !== 'tree' || tree.length === 0 || tree.some((part) => part === '.' || part === '..')) return null
  return { owner, name, tree }
}

/** The branch and the folder of a tree: the branch is as long as the git host has one of that name. */
export async function findGitPlace(
  host: GitHost,
  repository: HostRepository,
  tree: readonly string[],
): Promise<GitPlace> {
  const place = { username: repository.owner, repo: repository.name }
  const candidates =
    tree.length === 0
      ? [{ name: repository.defaultBranch, path: '' }]
      : tree.slice(0, MOST_PARTS).map((_part, at) => ({
          name: tree.slice(0, at + 1).join('/'),
          path: tree.slice(at + 1).join('/'),
        }))
  for (const { name, path } of candidates) {
    const branch = await host.branch(repository, name)
    if (branch) return { ...place, branch: name, path, commitSha: branch.sha }
  }
  throw new ApiError('NOT_FOUND', { detail: 'The repository has no branch of this name' })
}

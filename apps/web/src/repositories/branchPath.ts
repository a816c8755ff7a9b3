/** The address of the editor of a branch. */
export function branchPath({ owner, repo, branch }: { owner: string; repo: string; branch: string }): string {
  const name = branch.split('/').map(encodeURIComponent).join('/')
  return `/github/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}${name === '' ? '' : `/${name}`}`
}

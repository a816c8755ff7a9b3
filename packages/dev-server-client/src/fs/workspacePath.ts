/**
 * Brings a path to the form relative to the workspace, without `.`, `..` and doubled slashes. Undefined for a path outside, and
 * for an absolute one while the workspace is not known.
 */
export function relativePath(path: string, workspacePath: string | undefined): string | undefined {
  let rest = path
  if (path.startsWith('/')) {
    if (workspacePath === undefined) return undefined
    const absolute = normalize(path).join('/')
    const workspace = normalize(workspacePath).join('/')
    if (absolute === workspace) return ''
    if (!absolute.startsWith(`${workspace}/`)) return undefined
    rest = absolute.slice(workspace.length + 1)
  }
  const names = normalize(rest)
  return names[0] === '..' ? undefined : names.join('/')
}

/** One spelling for every path of the box: relative to the workspace where it is inside, else absolute. */
export function canonicalPath(path: string, workspacePath: string | undefined): string {
  const relative = relativePath(path, workspacePath)
  if (relative !== undefined) return relative
  if (path.startsWith('/')) return `/${normalize(path).join('/')}`
  return workspacePath === undefined ? path : `/${normalize(`${workspacePath}/${path}`).join('/')}`
}

function normalize(path: string): string[] {
  const names: string[] = []
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue
    const last = names.at(-1)
    if (name === '..' && last !== undefined && last !== '..') names.pop()
    else if (name !== '..' || !path.startsWith('/')) names.push(name)
  }
  return names
}

import { languageOf, type ServerId } from '@boxyard/protocol'

/** Each is a project that is read into memory as a whole. */
const MAX_PROJECTS = 8
const CONFIGURATION = /(?:^|\/)[jt]sconfig\.json$/
/** Often belong to a project of the tools alone. */
const OF_TOOLS = /(?:^|\/)(?:[^/]*\.config|\.\w+rc)\.\w+$|\.d\.\w+$/

/**
 * A script of each project of a workspace of which nobody has one open: a language server of TypeScript knows only projects of which it has a text.
 * Paths are relative to the workspace.
 */
export function projectScripts(paths: readonly string[], open: readonly string[], serverId: ServerId): string[] {
  const scripts = paths.filter((path) => languageOf(path)?.serverId === serverId).toSorted(byPlace)
  const folders = paths.filter((path) => CONFIGURATION.test(path)).map(folderOf)
  const projectOf = (path: string): string =>
    folders.filter((folder) => path.startsWith(folder)).toSorted((one, other) => other.length - one.length)[0] ?? ''
  const known = new Set(open.map(projectOf))
  const chosen: string[] = []
  for (const script of scripts) {
    const project = projectOf(script)
    if (known.has(project) || chosen.length === MAX_PROJECTS) continue
    known.add(project)
    chosen.push(script)
  }
  return chosen
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)

/** Those of a project itself come first: such as are in `src`, and then the outermost. */
function byPlace(one: string, other: string): number {
  const [left, right] = [one, other].map((path) => [
    OF_TOOLS.test(path) ? 1 : 0,
    /(?:^|\/)src\//.test(path) ? 0 : 1,
    path.split('/').length,
  ])
  const difference = left!.findIndex((value, index) => value !== right![index])
  if (difference >= 0) return left![difference]! - right![difference]!
  return one < other ? -1 : 1
}

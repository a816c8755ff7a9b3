/** Where `path` is when `from`, a file or folder, has become `to`; undefined when it has nothing to do with it. */
export function renamedPath(path: string, from: string, to: string): string | undefined {
  if (path === from) return to
  return path.startsWith(`${from}/`) ? `${to}${path.slice(from.length)}` : undefined
}

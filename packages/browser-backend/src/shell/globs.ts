import { absolute } from './shellState.ts'
import type { ShellState } from './shellState.ts'

export const isGlob = (word: string): boolean => /[*?]|\[[^\]]+\]/.test(word)

/** The paths that fit a pattern, or the pattern itself where none does. */
export function expandGlob(pattern: string, state: Pick<ShellState, 'cwd' | 'files'>): string[] {
  const isAbsolute = pattern.startsWith('/')
  const parts = pattern.split('/').filter((part) => part !== '')
  let found: string[] = [isAbsolute ? '/' : '']
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1
    found = found.flatMap((before) => {
      const join = (name: string) => (before === '' || before === '/' ? before + name : `${before}/${name}`)
      const folder = state.files.find(absolute(state, before === '' ? '.' : before))
      if (folder?.kind !== 'folder') return []
      if (part === '**' && !isLast)
        return ['', ...foldersBelow(absolute(state, before === '' ? '.' : before), state)].map((inside) =>
          inside === '' ? before : join(inside),
        )
      if (!isGlob(part)) return folder.names.has(part) || part === '.' || part === '..' ? [join(part)] : []
      const fits = patternOf(part)
      return [...folder.names]
        .filter((name) => fits.test(name) && (!name.startsWith('.') || part.startsWith('.')))
        .toSorted()
        .map(join)
    })
  }
  return found.length > 0 ? found : [pattern]
}

function foldersBelow(folder: string, state: Pick<ShellState, 'files'>, inside = ''): string[] {
  const entry = state.files.find(folder)
  if (entry?.kind !== 'folder') return []
  return [...entry.names].toSorted().flatMap((name) => {
    if (name.startsWith('.') || name === 'node_modules' || !state.files.isFolder(`${folder}/${name}`)) return []
    const path = inside === '' ? name : `${inside}/${name}`
    return [path, ...foldersBelow(`${folder}/${name}`, state, path)]
  })
}

function patternOf(part: string): RegExp {
  const source = part.replace(/\[[^\]]+\]|[*?]|[\\^$.+(){}|]/g, (piece) => {
    if (piece === '*') return '[^/]*'
    if (piece === '?') return '[^/]'
    return piece.startsWith('[') ? piece.replace('[!', '[^') : `\\${piece}`
  })
  return new RegExp(`^${source}$`)
}

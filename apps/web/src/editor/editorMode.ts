import { isBarePath } from './barePage.ts'

/** The whole workbench, or the light editor that the page has around VS Code's editors. */
export type EditorMode = 'workbench' | 'integrated'

/** What the light editor begins with: the code, what is beside it, or both. */
export const editorLayouts = ['split', 'editor', 'preview'] as const
export type EditorLayout = (typeof editorLayouts)[number]

type Address = Pick<Location, 'pathname' | 'search'>

/** Which editor an address asks for. What has nothing around it is the workbench. */
export function editorModeOf({ pathname, search }: Address): EditorMode {
  const isAsked = new URLSearchParams(search).get('mode') === 'integrated'
  return isAsked && !isBarePath(pathname) ? 'integrated' : 'workbench'
}

export function editorLayoutOf({ search }: Pick<Address, 'search'>): EditorLayout {
  const asked = new URLSearchParams(search).get('layout')
  return editorLayouts.find((layout) => layout === asked) ?? 'split'
}

/** Whether the text of the file is in view when the editor opens. */
export function showsTextFirst(address: Address): boolean {
  return editorModeOf(address) === 'workbench' || editorLayoutOf(address) !== 'preview'
}

/** The address of the same place in the other editor; what else it says stays. */
export function addressInMode({ pathname, search, hash }: Pick<Location, 'hash'> & Address, mode: EditorMode): string {
  const query = new URLSearchParams(search)
  query.delete('layout')
  if (mode === 'integrated') query.set('mode', mode)
  else query.delete('mode')
  return `${pathname}${query.size === 0 ? '' : `?${query}`}${hash}`
}

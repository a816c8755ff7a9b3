import type { EditorPlace } from '@boxyard/workbench'

/** Where the editor stands on a first visit: below the page's header, the tabs and the path; beside the icons and the side bar. */
const usual: Omit<EditorPlace, 'path'> = {
  left: 348,
  top: 97,
  width: 0,
  height: 0,
  contentLeft: 68,
  fontSize: 14,
  lineHeight: 19,
}

/** What is above the editor where nothing is around the workbench. */
const bareTop = 57

const keyOf = (id: string, isBare: boolean) => `boxyard.editor-place.${id}${isBare ? '.bare' : ''}`

/** The place of the editor at the last visit, in this browser; where it usually is when there was none. */
export function editorPlaceOf(
  storage: Storage,
  id: string,
  isBare: boolean,
): Partial<Pick<EditorPlace, 'path'>> & typeof usual {
  const first = isBare ? { ...usual, top: bareTop } : usual
  try {
    const stored: unknown = JSON.parse(storage.getItem(keyOf(id, isBare)) ?? 'null')
    return isPlace(stored) ? stored : first
  } catch {
    // Storage may be closed to the page, or hold something else.
    return first
  }
}

export function rememberEditorPlace(storage: Storage, id: string, place: EditorPlace, isBare: boolean): void {
  try {
    storage.setItem(keyOf(id, isBare), JSON.stringify(place))
  } catch {
    // Without storage the next visit begins at the usual place.
  }
}

function isPlace(value: unknown): value is EditorPlace {
  if (typeof value !== 'object' || value === null || !('path' in value) || typeof value.path !== 'string') return false
  return Object.keys(usual).every((name) => Number.isFinite((value as Record<string, unknown>)[name]))
}

import type { EditorPlace } from '@boxyard/workbench'
import { NARROW } from '@boxyard/workbench/narrow'
import { askedSideBar } from '../askedParts.ts'
import { isBarePath } from '../barePage.ts'
import { editorModeOf } from '../editorMode.ts'

export type Place = Omit<EditorPlace, 'path'>

/** What is around an editor: it stands elsewhere in each of these. Closed: the address wants no side bar. */
export type Surroundings = `${'workbench' | 'bare' | 'light'}${'' | '-small'}` | `${'workbench' | 'bare'}-closed`

/** Of the editor that the address of the page asks for, in a window of this size. */
export function surroundingsOf(page: Pick<Window, 'location' | 'matchMedia'>): Surroundings {
  const isLight = editorModeOf(page.location) === 'integrated'
  const around = isBarePath(page.location.pathname) ? 'bare' : isLight ? 'light' : 'workbench'
  if (page.matchMedia(NARROW).matches) return `${around}-small`
  return around !== 'light' && askedSideBar(page.location.search) === false ? `${around}-closed` : around
}

const usual = { width: 0, height: 0, contentLeft: 70, fontSize: 14, lineHeight: 19 }

/** Where the editor stands on a first visit: below the page's header, the tabs and the path; beside the icons and the side bar, or the files. */
const firstPlaces: Readonly<Record<Surroundings, Place>> = {
  workbench: { ...usual, left: 348, top: 97 },
  'workbench-closed': { ...usual, left: 48, top: 97 },
  'workbench-small': { ...usual, left: 48, top: 97 },
  bare: { ...usual, left: 348, top: 57 },
  'bare-closed': { ...usual, left: 48, top: 57 },
  'bare-small': { ...usual, left: 48, top: 57 },
  light: { ...usual, left: 240, top: 97 },
  'light-small': { ...usual, left: 0, top: 97 },
}

/** A visit that says nothing of the side bar finds it as the last one left it. */
const alsoOf: Partial<Record<Surroundings, Surroundings>> = {
  'workbench-closed': 'workbench',
  'bare-closed': 'bare',
}

const keyOf = (id: string) => `boxyard.editor-place.${id}`

interface Remembered {
  path?: string
  places: Partial<Record<Surroundings, Place>>
}

function remembered(storage: Storage, id: string): Remembered {
  try {
    const stored: unknown = JSON.parse(storage.getItem(keyOf(id)) ?? 'null')
    if (typeof stored !== 'object' || stored === null) return { places: {} }
    const places = 'places' in stored && typeof stored.places === 'object' ? Object.entries(stored.places ?? {}) : []
    return {
      ...('path' in stored && typeof stored.path === 'string' && { path: stored.path }),
      places: Object.fromEntries(places.filter(([, place]) => isPlace(place))),
    }
  } catch {
    // Storage may be closed to the page, or hold something else.
    return { places: {} }
  }
}

/** The file of the last visit in this browser, if there was one, and where the editor stands in these surroundings. */
export function editorPlaceOf(storage: Storage, id: string, around: Surroundings): Place & { path?: string } {
  const { path, places } = remembered(storage, id)
  return { ...(places[around] ?? firstPlaces[around]), ...(path !== undefined && { path }) }
}

export function rememberEditorPlace(storage: Storage, id: string, around: Surroundings, seen: EditorPlace): void {
  const { path, ...place } = seen
  const { places } = remembered(storage, id)
  for (const one of [around, alsoOf[around] ?? around]) places[one] = place
  try {
    storage.setItem(keyOf(id), JSON.stringify({ path, places }))
  } catch {
    // Without storage the next visit begins at the usual place.
  }
}

function isPlace(value: unknown): value is Place {
  if (typeof value !== 'object' || value === null) return false
  return Object.keys(firstPlaces.workbench).every((name) => Number.isFinite((value as Record<string, unknown>)[name]))
}

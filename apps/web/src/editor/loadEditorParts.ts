import { editorModeOf } from './editorMode.ts'
import { loadArrow } from './loadArrow.ts'
import type * as EditorParts from './editorParts.ts'

let parts: Promise<typeof EditorParts> | undefined

/** Loads the editor that the address asks for and the client of the dev server, once a page. A failed load is tried again by the next caller. */
export function loadEditorParts(): Promise<typeof EditorParts> {
  parts ??= load().catch((error: unknown) => {
    parts = undefined
    throw error
  })
  return parts
}

async function load(): Promise<typeof EditorParts> {
  // An editor measures its font once, when it begins.
  const arrow = loadArrow().catch((error: unknown) =>
    console.warn('The editor takes its letters for unequally wide', error),
  )
  const loaded = await loadClient()
  // An import asks for every file at once, past the order in which the page fetches them.
  await window.boxyardFirstText?.scripts
  await (editorModeOf(window.location) === 'integrated' ? loaded.loadLightEditor() : loaded.loadWorkbench())
  await arrow
  return loaded
}

/** Loads what connects to the dev server, without the workbench: the connection stands when the workbench comes. */
export function loadClient(): Promise<typeof EditorParts> {
  return import('./editorParts.ts')
}

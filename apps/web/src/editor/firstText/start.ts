// The first script of an editor page: shows the file before anything else of the app is there. It imports nothing of the app, so
// that it is small, and is reached through the window.
import { boxOfPath, branchPathOf, isBarePath } from '../barePage.ts'
import { editorPlaceOf } from './editorPlace.ts'
import { FirstTextView } from './FirstTextView.ts'
import type { FirstTextContent } from './FirstTextView.ts'
import { branchBoxOf } from '../../repositories/branchBox.ts'
import { rememberedColors, showPalette } from '../../theme/pageColors.ts'
import { keptEdit } from './keptEdit.ts'
import { PREVIEW_SHOWN } from '../previewShown.ts'
import { preloadEditor, preloadFonts } from './preloadFiles.ts'
import type { EditorFiles } from './preloadFiles.ts'

declare const __EDITOR_FILES__: EditorFiles

/** Milliseconds after which the editor is fetched whether or not there is a first text. */
const PATIENCE_MS = 400
/** The same where a preview is shown first, of a sandbox without a machine. */
const PREVIEW_PATIENCE_MS = 1500

let view: FirstTextView | undefined
let shownFor: string | undefined

async function show(id: string, file: string | undefined): Promise<void> {
  if (shownFor === id) return
  // The address of a branch may have meant another box by now than at the last visit.
  view?.hide()
  view = undefined
  shownFor = id
  const place = editorPlaceOf(localStorage, id, isBarePath(location.pathname))
  const kept = keptEdit(sessionStorage, id)
  const edit = kept.read()
  const path = edit?.path ?? file ?? place.path ?? 'README.md'
  const answer = await fetchText(id, path)
  const content = edit ? { ...(answer ?? plain), ...edit, canWrite: true } : answer
  if (!content || shownFor !== id) return
  view = new FirstTextView({
    content,
    place,
    onEdit: (text) => kept.write({ path: content.path, base: content.base, text }),
    onTaken: () => kept.clear(),
  })
}

const plain = { colors: [], lines: [] }

async function fetchText(id: string, path: string): Promise<FirstTextContent | undefined> {
  const query = new URLSearchParams({ path, scheme: document.documentElement.dataset['theme'] ?? 'dark' })
  const answer = await fetch(`/api/vm/${encodeURIComponent(id)}/first-text?${query}`)
  // A refusal is said by the page that follows.
  if (!answer.ok) return undefined
  const { data } = (await answer.json()) as {
    data: (Pick<FirstTextContent, 'path' | 'colors' | 'lines'> & { text: string; can_write: boolean }) | null
  }
  return data ? { ...data, base: data.text, canWrite: data.can_write } : undefined
}

let scripts = Promise.resolve()

window.boxyardFirstText = {
  show,
  get view() {
    return view
  },
  get scripts() {
    return scripts
  },
}

if (/^\/(?:devbox|sandbox|github|vscode)\//.test(location.pathname)) {
  const colors = rememberedColors(localStorage)
  if (colors) {
    document.documentElement.dataset['theme'] = colors.scheme
    showPalette(document.documentElement.style, colors.palette)
  }
  preloadFonts(__EDITOR_FILES__)
  // Twelve megabytes of script occupy a small machine for a second; the text comes before them.
  const shown = location.pathname.startsWith('/sandbox/')
    ? Promise.race([previewed(), after(PREVIEW_PATIENCE_MS)])
    : Promise.race([begin().then(drawn), after(PATIENCE_MS)])
  scripts = shown.then(() => preloadEditor(__EDITOR_FILES__))
}

async function begin(): Promise<void> {
  const { pathname, search } = location
  const query = new URLSearchParams(search)
  // A branch that is to be made has no text yet.
  const box =
    boxOfPath(pathname) ?? (query.has('create') ? undefined : branchBoxOf(localStorage, branchPathOf(pathname)))
  if (box === undefined) return
  try {
    await show(decodeURIComponent(box), query.get('file') ?? undefined)
  } catch (error) {
    console.warn('The file is shown when the editor is there', error)
  }
}

/** Resolves when the page says that there is a preview, or that there will be none before the editor. */
function previewed(): Promise<void> {
  return new Promise((resolve) => window.addEventListener(PREVIEW_SHOWN, () => resolve(), { once: true }))
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** Resolves when what is on the page now has been drawn. */
function drawn(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
}

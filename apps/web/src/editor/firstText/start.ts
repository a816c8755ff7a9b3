// The first script of an editor page: shows the file before anything else of the app is there. It imports nothing of the app, so
// that it is small, and is reached through the window.
import { filePlace } from '@boxyard/api/file-place'
import { boxOfPath, branchPathOf } from '../barePage.ts'
import { editorModeOf, showsTextFirst } from '../editorMode.ts'
import { editorPlaceOf, surroundingsOf } from './editorPlace.ts'
import { FirstTextView } from './FirstTextView.ts'
import type { FirstTextContent } from './FirstTextView.ts'
import { branchBoxOf } from '../../repositories/branchBox.ts'
import { rememberedColors, showPalette } from '../../theme/pageColors.ts'
import { embeddedText } from './embeddedText.ts'
import type { FirstTextAnswer } from './embeddedText.ts'
import { keptEdit } from './keptEdit.ts'
import { PREVIEW_SHOWN, tellPreviewShown } from '../previewShown.ts'
import { loadFonts, preloadEditor } from './preloadFiles.ts'
import type { EditorFiles } from './preloadFiles.ts'
import { startApp } from './startApp.ts'
import { startPreview } from './startPreview.ts'

declare const __EDITOR_FILES__: EditorFiles

/** Milliseconds after which the app and the editor come whether or not there is a first text. */
const PATIENCE_MS = 400
/** The same where a preview is shown first, of a sandbox without a machine. */
const PREVIEW_PATIENCE_MS = 1500

/** Milliseconds that a text waits for its font. */
const FONT_PATIENCE_MS = 100

/** A preview that the app has not taken over this long after its start is not wanted. */
const UNTAKEN_MS = 15_000

let view: FirstTextView | undefined
let shownFor: string | undefined
/** The page brought the text along. */
let isEmbedded = false
let isTooLate = false
let font = Promise.resolve()

async function show(id: string, file: string | undefined): Promise<void> {
  if (shownFor === id) return
  // The address of a branch may have meant another box by now than at the last visit.
  view?.hide()
  view = undefined
  isTooLate = false
  shownFor = id
  const place = editorPlaceOf(localStorage, id, surroundingsOf(window))
  const kept = keptEdit(sessionStorage, id)
  const edit = kept.read()
  const path = edit?.path ?? file ?? place.path ?? 'README.md'
  const scheme = document.documentElement.dataset['theme'] ?? 'dark'
  const embedded = embeddedText(document, { id, path, scheme })
  isEmbedded = embedded?.answer != null
  const answer = contentOf(embedded ? embedded.answer : await fetchText(id, path, scheme))
  const content = edit ? { ...(answer ?? plain), ...edit, canWrite: true } : answer
  if (!content) return
  await Promise.race([font, after(FONT_PATIENCE_MS)])
  if (shownFor !== id || isTooLate) return
  view = new FirstTextView({
    content,
    place,
    onEdit: (text) => kept.write({ path: content.path, base: content.base, text }),
    onTaken: () => kept.clear(),
  })
}

const plain = { colors: [], lines: [] }

async function fetchText(id: string, path: string, scheme: string): Promise<FirstTextAnswer> {
  const query = new URLSearchParams({ path, scheme })
  const answer = await fetch(`/api/vm/${encodeURIComponent(id)}/first-text?${query}`)
  // A refusal is said by the page that follows.
  if (!answer.ok) return null
  const { data } = (await answer.json()) as { data: FirstTextAnswer }
  return data
}

function contentOf(answer: FirstTextAnswer): FirstTextContent | undefined {
  return answer ? { ...answer, base: answer.text, canWrite: answer.can_write } : undefined
}

let scripts = Promise.resolve()

window.boxyardFirstText = {
  show,
  get view() {
    return view
  },
  giveUp() {
    isTooLate = true
    view?.hide()
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
  const preview = startPreview(document, __EDITOR_FILES__, tellPreviewShown)
  window.boxyardEarlySandbox = preview
  font = loadFonts(__EDITOR_FILES__)
  const shown = location.pathname.startsWith('/sandbox/')
    ? Promise.race([previewed(), after(PREVIEW_PATIENCE_MS)])
    : Promise.race([begin().then(drawn), after(PATIENCE_MS)])
  // A text that came with the page is drawn before anything of the app; one that is still to come is not waited for.
  const now = Promise.resolve()
  // Files that this browser has kept are there in a moment: until the text is drawn they would only take the processor from it.
  const isKept = Boolean(navigator.serviceWorker?.controller)
  const fetched = preview?.whenFetched ?? (isEmbedded && isKept ? shown : now)
  void startApp(document, fetched, isEmbedded || preview ? shown : now)
  if (preview) {
    void shown.then(() => preview.start())
    void shown.then(() => after(UNTAKEN_MS)).then(() => preview.drop())
  }
  // Twelve megabytes of script occupy a small machine for a second; what the person came for is there before them.
  scripts = shown.then(() =>
    preloadEditor(editorModeOf(location) === 'integrated' ? __EDITOR_FILES__.light : __EDITOR_FILES__),
  )
}

async function begin(): Promise<void> {
  if (!showsTextFirst(location)) return
  const { pathname, search } = location
  const query = new URLSearchParams(search)
  // A branch that is to be made has no text yet.
  const box =
    boxOfPath(pathname) ?? (query.has('create') ? undefined : branchBoxOf(localStorage, branchPathOf(pathname)))
  if (box === undefined) return
  try {
    const file = query.get('file')
    await show(decodeURIComponent(box), (file && filePlace(file).path) || undefined)
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

/** Resolves when what is on the page now is on the screen: a frame is on its way until the next one begins. */
function drawn(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))))
}

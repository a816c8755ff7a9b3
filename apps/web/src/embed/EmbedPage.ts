import { filePlace } from '@boxyard/api/file-place'
import type { FilePlace } from '@boxyard/api/file-place'
import { startPreviewEngine } from '@boxyard/browser-backend/preview-engine'
import type { PreviewEngine } from '@boxyard/browser-backend/preview-engine'
import { PREVIEW_PORT } from '@boxyard/browser-backend/preview-port'
import { previewOrigin } from '../editor/previewUrl.ts'
import type { CodeEditor } from './CodeEditor.ts'
import { element } from './element.ts'
import type { EmbedOptions, EmbedView } from './embedOptions.ts'
import { PreviewPane } from './previewPane.ts'
import { firstPath, readBoxText, textPaths } from './readEmbedded.ts'
import type { Embedded } from './readEmbedded.ts'

/** As long as somebody types the preview waits, so that it does not jump at every key. */
const PREVIEW_DELAY_MS = 300

const viewNames: Readonly<Record<EmbedView, string>> = { editor: 'Code', split: 'Both', preview: 'Preview' }

/** One sandbox in somebody else's page: its files, its preview, or both. What is typed stays here. */
export class EmbedPage {
  readonly #root: HTMLElement
  readonly #embedded: Embedded
  readonly #options: EmbedOptions
  readonly #code = element('section', { class: 'embed-code', 'aria-label': 'Code' })
  readonly #note = element('span', { class: 'embed-note', role: 'status' })
  readonly #files: HTMLSelectElement
  readonly #open: HTMLAnchorElement
  readonly #views = new Map<EmbedView, HTMLButtonElement>()
  readonly #preview: PreviewPane
  /** What the address names, and where in it. */
  readonly #named: FilePlace | null
  readonly #edits = new Map<string, string>()
  #editor: Promise<CodeEditor> | undefined
  #engine: PreviewEngine | undefined
  #edited: ReturnType<typeof setTimeout> | undefined
  #path: string | undefined

  constructor(root: HTMLElement, embedded: Embedded, options: EmbedOptions, place: { protocol: string; base: string }) {
    this.#root = root
    this.#embedded = embedded
    this.#options = options
    this.#named = options.file === null ? null : filePlace(options.file)
    this.#path = firstPath(embedded, this.#named?.path ?? null)
    const paths = textPaths(embedded)
    this.#files = element(
      'select',
      { class: 'embed-file', 'aria-label': 'File', change: () => this.#show(this.#files.value) },
      ...paths.map((path) => element('option', { value: path, selected: path === this.#path }, path.slice(1))),
    )
    this.#open = element(
      'a',
      { class: 'embed-button', target: '_blank', rel: 'noopener', 'aria-label': 'Open in Boxyard' },
      'Open',
      element('span', { class: 'embed-where' }, ' in Boxyard'),
    )
    const origin = previewOrigin({ ...place, id: embedded.id, port: options.port ?? PREVIEW_PORT })
    this.#preview = new PreviewPane({
      origin,
      path: options.path,
      title: `Preview of ${embedded.title}`,
      isOneModule: options.moduleView,
      hideNavigation: options.hideNavigation,
      runLabel: options.runOnClick ? 'Run the preview' : null,
      onRun: () => {
        if (!embedded.isDevbox) this.#startEngine(origin)
      },
    })
    this.#draw()
  }

  #draw(): void {
    const { title, author, isDevbox } = this.#embedded
    const { view, editorSize, fontSize, readOnly } = this.#options
    const switches = element('div', { class: 'embed-views', role: 'group', 'aria-label': 'What is shown' })
    for (const [name, words] of Object.entries(viewNames) as [EmbedView, string][]) {
      const button = element('button', { class: 'embed-button', type: 'button', click: () => this.#see(name) }, words)
      this.#views.set(name, button)
      switches.append(button)
    }
    this.#note.textContent = [author === null ? '' : `by ${author}`, readOnly || isDevbox ? 'read-only' : '']
      .filter(Boolean)
      .join(', ')
    this.#root.style.setProperty('--embed-code-size', `${editorSize}%`)
    this.#root.style.setProperty('--embed-font-size', `${fontSize}px`)
    const bar = element('header', { class: 'embed-bar' }, element('span', { class: 'embed-title' }, title), this.#note)
    bar.append(element('span', { class: 'embed-space' }))
    // A devbox shows what there is of it: its files while its machine runs, and the port that the address names.
    const hasCode = this.#path !== undefined
    const hasPreview = !isDevbox || this.#options.port !== null
    if (hasCode) bar.append(this.#files)
    if (hasCode && hasPreview) bar.append(switches)
    bar.append(this.#open)
    this.#root.replaceChildren(bar, element('main', { class: 'embed-panes' }, this.#code, this.#preview.element))
    this.#link()
    this.#see(!hasCode ? 'preview' : hasPreview ? view : 'editor')
  }

  #see(view: EmbedView): void {
    this.#root.dataset['view'] = view
    for (const [name, button] of this.#views) button.setAttribute('aria-pressed', String(name === view))
    if (view !== 'preview' && this.#path !== undefined) this.#show(this.#path, this.#firstPlace())
    if (view !== 'editor') this.#preview.shown()
  }

  /** Where the address leads in its file, when that is shown for the first time. */
  #firstPlace(): FilePlace['position'] {
    if (this.#editor !== undefined || this.#path !== `/${this.#named?.path}`) return undefined
    return this.#named?.position
  }

  #show(path: string, place?: { line: number; column: number }): void {
    const content = this.#embedded.files.get(path)
    if (content === undefined && this.#embedded.isDevbox) return this.#fetch(path, place)
    if (typeof content !== 'string') return
    this.#path = path
    this.#files.value = path
    this.#link()
    this.#editor ??= this.#loadEditor()
    this.#editor.then(
      (editor) => {
        if (this.#path !== path) return
        editor.show(path, content)
        if (place) editor.reveal(place.line, place.column)
      },
      (error: unknown) => {
        this.#editor = undefined
        console.error('The editor was not loaded', error)
        this.#code.replaceChildren(element('pre', {}, content))
      },
    )
  }

  #fetch(path: string, place?: { line: number; column: number }): void {
    this.#path = path
    const { id, files } = this.#embedded
    readBoxText(id, path).then(
      (text) => {
        if (text !== null) files.set(path, text)
        if (this.#path !== path) return
        if (text !== null) this.#show(path, place)
        else this.#note.textContent = `${path.slice(1)} is no text, or is not there any more`
      },
      (error: unknown) => {
        console.error(error)
        if (this.#path === path) this.#note.textContent = `${path.slice(1)} could not be read. Choose it again.`
      },
    )
  }

  async #loadEditor(): Promise<CodeEditor> {
    const { CodeEditor: Editor } = await import('./CodeEditor.ts')
    this.#code.replaceChildren()
    return new Editor({
      parent: this.#code,
      readOnly: this.#options.readOnly || this.#embedded.isDevbox,
      onEdit: (path, text) => this.#edit(path, text),
    })
  }

  #edit(path: string, text: string): void {
    this.#note.textContent = 'What you type stays in this page'
    this.#embedded.files.set(path, text)
    this.#edits.set(path, text)
    clearTimeout(this.#edited)
    this.#edited = setTimeout(() => {
      this.#engine?.change(new Map(this.#edits))
      this.#edits.clear()
    }, PREVIEW_DELAY_MS)
  }

  #startEngine(origin: string): void {
    const { id, files } = this.#embedded
    const { moduleView } = this.#options
    this.#edits.clear()
    this.#engine = startPreviewEngine({
      api: new URL(`/api/v1/sandboxes/${encodeURIComponent(id)}`, location.href).href,
      files,
      previewOrigin: origin,
      // One that is not there is told to be missed: another one is not what was asked for.
      module: moduleView ? (this.#named?.path ?? this.#path?.slice(1) ?? null) : null,
      onOpenFile: (path, line, column) => {
        if (this.#root.dataset['view'] === 'preview') this.#see('split')
        this.#show(path, { line, column })
      },
    })
  }

  #link(): void {
    const { id, isDevbox } = this.#embedded
    const file = this.#path === undefined ? '' : `?file=${encodeURIComponent(this.#path.slice(1))}`
    this.#open.href = `/${isDevbox ? 'devbox' : 'sandbox'}/${encodeURIComponent(id)}${file}`
  }
}

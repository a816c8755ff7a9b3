import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { Compartment, EditorState } from '@codemirror/state'
import type { Extension } from '@codemirror/state'
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { codeLanguage } from './codeLanguage.ts'

// The kinds of code have the hues that they have in the large editor.
const colors = HighlightStyle.define([
  { tag: [tags.comment, tags.meta], color: 'var(--color-faint)' },
  { tag: [tags.keyword, tags.modifier, tags.controlKeyword], color: 'var(--color-person-6)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--color-person-3)' },
  { tag: [tags.number, tags.bool, tags.null, tags.unit, tags.color], color: 'var(--color-person-2)' },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: 'var(--color-person-5)' },
  { tag: [tags.typeName, tags.className, tags.namespace], color: 'var(--color-person-4)' },
  { tag: [tags.tagName, tags.propertyName, tags.heading], color: 'var(--color-person-1)' },
  { tag: tags.attributeName, color: 'var(--color-person-2)' },
  { tag: [tags.link, tags.url], color: 'var(--color-link)' },
  { tag: tags.invalid, color: 'var(--color-danger)' },
])

const look = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--color-ground)', color: 'var(--color-text)', fontSize: 'inherit' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.55' },
  '.cm-gutters': { backgroundColor: 'var(--color-ground)', color: 'var(--color-faint)', border: '0' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: 'var(--color-panel)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-cursor': { borderLeftColor: 'var(--color-text)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'transparent',
    outline: '1px solid var(--color-line-strong)',
  },
})

export interface CodeEditorOptions {
  parent: HTMLElement
  readOnly: boolean
  onEdit(path: string, text: string): void
}

/** The editor of an embedded sandbox: one file at a time, each with its own history. */
export class CodeEditor {
  readonly #options: CodeEditorOptions
  readonly #view: EditorView
  readonly #states = new Map<string, EditorState>()
  #path = ''

  constructor(options: CodeEditorOptions) {
    this.#options = options
    this.#view = new EditorView({ parent: options.parent })
  }

  /** Shows a file as it was left here, or with its text. */
  show(path: string, text: string): void {
    if (path === this.#path) return
    if (this.#path !== '') this.#states.set(this.#path, this.#view.state)
    this.#path = path
    const known = this.#states.get(path)
    if (known) return this.#view.setState(known)
    const language = new Compartment()
    this.#view.setState(EditorState.create({ doc: text, extensions: this.#extensions(path, language) }))
    codeLanguage(path).then(
      (extension) => this.#color(path, language.reconfigure(extension)),
      // Plain text is readable too.
      (error: unknown) => console.warn(`${path} has no colors`, error),
    )
  }

  /** Puts the caret at a place of the file that is shown; both count from 1. */
  reveal(line: number, column: number): void {
    const { doc } = this.#view.state
    const at = doc.line(Math.min(Math.max(line, 1), doc.lines))
    const anchor = Math.min(at.from + column - 1, at.to)
    this.#view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
    this.#view.focus()
  }

  #color(path: string, effects: ReturnType<Compartment['reconfigure']>): void {
    if (path === this.#path) return this.#view.dispatch({ effects })
    const state = this.#states.get(path)
    if (state) this.#states.set(path, state.update({ effects }).state)
  }

  #extensions(path: string, language: Compartment): Extension {
    const { readOnly, onEdit } = this.#options
    return [
      lineNumbers(),
      history(),
      indentOnInput(),
      bracketMatching(),
      highlightActiveLine(),
      keymap.of([...defaultKeymap, ...historyKeymap]),
      syntaxHighlighting(colors),
      look,
      EditorState.readOnly.of(readOnly),
      EditorView.contentAttributes.of({ 'aria-label': `Text of ${path.slice(1)}` }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) onEdit(path, update.state.doc.toString())
      }),
      language.of([]),
    ]
  }
}

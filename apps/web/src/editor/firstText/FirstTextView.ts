import type { FirstText } from '@boxyard/workbench'
import { NARROW } from '@boxyard/workbench/narrow'
import type { Place } from './editorPlace.ts'

export interface FirstTextContent {
  /** Relative to the workspace. */
  path: string
  /** What the box has. */
  base: string
  /** What the person has made of it, at an earlier load of this page; else the same. */
  text: string
  caret?: number
  canWrite: boolean
  colors: readonly string[]
  /** Pairs of a length and the number of a color, a line each; lines without are plain. */
  lines: readonly (readonly number[])[]
}

export interface FirstTextViewOptions {
  content: FirstTextContent
  place: Place
  /** Called after each edit, so that it outlives this load of the page. */
  onEdit(text: string): void
  /** The editor has the text. */
  onTaken(): void
}

const style = `
.first-text { position: fixed; z-index: 20; overflow: auto; right: 0; bottom: 0; background: var(--color-ground, Canvas); color: var(--color-text, CanvasText);
  font-family: 'JetBrains Mono Variable', 'JetBrains Mono', ui-monospace, monospace; font-variant-ligatures: none; tab-size: 2; }
.first-text > div { position: relative; width: max-content; min-width: 100%; counter-reset: line; }
.first-text p { margin: 0; white-space: pre; counter-increment: line; }
.first-text p::before { content: counter(line); position: absolute; left: 0; text-align: right; color: var(--color-faint, GrayText); box-sizing: border-box; padding-right: 26px; width: var(--gutter); }
.first-text textarea { position: absolute; inset: 0; width: 100%; height: 100%; padding: 0; border: 0; margin: 0; outline: 0; resize: none; overflow: hidden; white-space: pre;
  font: inherit; line-height: inherit; letter-spacing: inherit; tab-size: 2; background: transparent; color: transparent; caret-color: var(--color-text, CanvasText); }
/* The status bar, and the switch of panes below it. */
@media ${NARROW} { .first-text { bottom: 66px; } }
.first-text [hidden] { display: none }`

/** A text with its colors that takes typing, on the screen long before the editor is. */
export class FirstTextView implements FirstText {
  readonly path: string
  readonly base: string
  readonly colors: readonly string[]
  readonly lines: readonly (readonly number[])[]
  readonly #options: FirstTextViewOptions
  readonly #view = document.createElement('section')
  readonly #page = document.createElement('div')
  readonly #input = document.createElement('textarea')
  #lines: { text: string; element: HTMLElement }[] = []
  #composing = false
  #onSettled: (() => void)[] = []

  constructor(options: FirstTextViewOptions) {
    this.#options = options
    const { content, place } = options
    this.path = content.path
    this.base = content.base
    this.colors = content.colors
    this.lines = content.lines
    this.#build()
    this.#page.replaceChildren(...this.#coloredLines(), this.#input)
    if (content.text !== content.base) this.#update()
    const { width, height } = place
    Object.assign(this.#view.style, {
      left: `${place.left}px`,
      top: `${place.top}px`,
      fontSize: `${place.fontSize}px`,
      lineHeight: `${place.lineHeight}px`,
      ...(width > 0 && { width: `${width}px`, right: 'auto' }),
      ...(height > 0 && { height: `${height}px`, bottom: 'auto' }),
    })
    this.#view.style.setProperty('--gutter', `${place.contentLeft}px`)
    this.#page.style.paddingLeft = `${place.contentLeft}px`
    this.#input.style.paddingLeft = `${place.contentLeft}px`
    // The answer may be there before the page's own elements.
    ;(document.body ?? document.documentElement).append(this.#view)
    if (!document.activeElement || document.activeElement === document.body) this.#input.focus({ preventScroll: true })
  }

  now(): ReturnType<FirstText['now']> {
    const { value, selectionStart, selectionEnd, selectionDirection } = this.#input
    const isBackward = selectionDirection === 'backward'
    return {
      text: value,
      anchor: isBackward ? selectionEnd : selectionStart,
      head: isBackward ? selectionStart : selectionEnd,
      hasFocus: document.activeElement === this.#input,
      scrollTop: this.#view.scrollTop,
      scrollLeft: this.#view.scrollLeft,
    }
  }

  settled(): Promise<void> {
    if (!this.#composing) return Promise.resolve()
    return new Promise((resolve) => this.#onSettled.push(resolve))
  }

  taken(): void {
    this.hide()
    this.#options.onTaken()
  }

  hide(): void {
    this.#view.remove()
  }

  #build(): void {
    const sheet = document.createElement('style')
    sheet.textContent = style
    this.#view.className = 'first-text'
    this.#view.dataset['firstText'] = this.path
    this.#view.ariaLabel = `The text of ${this.path}, while the editor is loading`
    this.#view.append(sheet, this.#page)
    const input = this.#input
    const { text, canWrite, caret = 0 } = this.#options.content
    input.value = text
    input.setSelectionRange(caret, caret)
    input.ariaLabel = `Text of ${this.path}`
    input.spellcheck = false
    input.wrap = 'off'
    input.autocapitalize = 'off'
    input.readOnly = !canWrite
    input.addEventListener('input', () => {
      this.#update()
      this.#options.onEdit(input.value)
    })
    input.addEventListener('keydown', (event) => this.#onKey(event))
    input.addEventListener('compositionstart', () => (this.#composing = true))
    input.addEventListener('compositionend', () => {
      this.#composing = false
      for (const resolve of this.#onSettled.splice(0)) resolve()
    })
  }

  #onKey(event: KeyboardEvent): void {
    // The editor that is starting behind listens to the whole window.
    event.stopPropagation()
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey
    if (event.key === 'Tab' && plain && !this.#input.readOnly) {
      event.preventDefault()
      const { selectionStart, selectionEnd } = this.#input
      this.#input.setRangeText('  ', selectionStart, selectionEnd, 'end')
      this.#input.dispatchEvent(new Event('input'))
    }
    // What is typed is kept as it is typed; the browser would offer to save the page.
    if (event.key === 's' && (event.ctrlKey || event.metaKey)) event.preventDefault()
  }

  #coloredLines(): HTMLElement[] {
    const { base, colors, lines } = this.#options.content
    this.#lines = base.split('\n').map((text, at) => ({ text, element: coloredLine(text, lines[at] ?? [], colors) }))
    return this.#lines.map(({ element }) => element)
  }

  /** Draws what changed; lines that stay keep their colors. */
  #update(): void {
    const next = this.#input.value.split('\n')
    const before = this.#lines
    const shorter = Math.min(next.length, before.length)
    let start = 0
    while (start < shorter && before[start]!.text === next[start]) start += 1
    let end = 0
    while (end < shorter - start && before.at(-1 - end)!.text === next.at(-1 - end)) end += 1
    const added = next
      .slice(start, next.length - end)
      .map((text) => ({ text, element: coloredLine(text, [], this.#options.content.colors) }))
    const removed = before.splice(start, before.length - end - start, ...added)
    const behind = before[start + added.length]?.element ?? this.#input
    for (const { element } of removed) element.remove()
    behind.before(...added.map(({ element }) => element))
  }
}

function coloredLine(text: string, runs: readonly number[], colors: readonly string[]): HTMLElement {
  const line = document.createElement('p')
  line.ariaHidden = 'true'
  let at = 0
  for (let run = 0; run + 1 < runs.length; run += 2) {
    const span = document.createElement('span')
    span.textContent = text.slice(at, (at += runs[run]!))
    span.style.color = colors[runs[run + 1]!] ?? ''
    line.append(span)
  }
  // A line of its own height, also when it is empty.
  line.append(text.slice(at) || (at === 0 ? '\u200B' : ''))
  return line
}

import type { ProjectProblem } from '../common/messages.ts'

/** Shows what is wrong over the page, on a layer of its own that the page's styles do not reach. */
export class Overlay {
  readonly #page: Document
  readonly #onOpen: (file: string, line: number, column: number) => void
  #host: HTMLElement | null = null

  constructor(page: Document, onOpen: (file: string, line: number, column: number) => void) {
    this.#page = page
    this.#onOpen = onOpen
  }

  show({ message, file, line, column, frame }: ProjectProblem): void {
    this.hide()
    const page = this.#page
    const host = page.createElement('boxyard-problem')
    host.setAttribute('role', 'alert')
    const root = host.attachShadow({ mode: 'open' })
    const style = page.createElement('style')
    style.textContent = `:host{position:fixed;inset:0;z-index:2147483647;overflow:auto;background:#151515;color:#e6e6e6;font:14px/1.5 ui-sans-serif,system-ui,sans-serif}
      main{max-width:960px;margin:0 auto;padding:24px}h1{font-size:16px;margin:0 0 8px;color:#ff8a8a;white-space:pre-wrap;overflow-wrap:anywhere}
      pre{font:12px/1.5 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere;background:#1f1f1f;padding:12px;border-radius:4px}
      button{font:inherit;color:inherit;background:#2b2b2b;border:1px solid #444;border-radius:4px;padding:4px 12px;margin-right:8px;cursor:pointer}`
    const main = page.createElement('main')
    const headline = page.createElement('h1')
    headline.textContent = message
    main.append(headline)
    if (frame !== null) {
      const lines = page.createElement('pre')
      lines.textContent = frame
      main.append(lines)
    }
    if (file !== null) {
      const open = page.createElement('button')
      open.textContent = `Open ${file.replace(/^\//, '')}${line === null ? '' : `:${line}`}`
      open.addEventListener('click', () => this.#onOpen(file, line ?? 1, column ?? 1))
      main.append(open)
    }
    const close = page.createElement('button')
    close.textContent = 'Close'
    close.addEventListener('click', () => this.hide())
    main.append(close)
    root.append(style, main)
    page.documentElement.append(host)
    this.#host = host
  }

  hide(): void {
    this.#host?.remove()
    this.#host = null
  }
}

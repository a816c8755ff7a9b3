import { ONE_MODULE } from '@boxyard/browser-backend/one-module'
import { element } from './element.ts'

/** Everything a page of its own may do, but for taking the place of the page around it. */
const SANDBOX = 'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals'

export interface PreviewPaneOptions {
  origin: string
  path: string
  title: string
  /** It shows one module in place of the page. */
  isOneModule: boolean
  hideNavigation: boolean
  /** Present: what has to be asked for first, before the preview is worth a frame. */
  runLabel: string | null
  /** The preview is about to be shown. */
  onRun(): void
}

/** The preview with its bar. It begins when it is seen for the first time, or when somebody asks for it. */
export class PreviewPane {
  readonly element: HTMLElement
  readonly #options: PreviewPaneOptions
  readonly #frame: HTMLIFrameElement
  #hasBegun = false

  constructor(options: PreviewPaneOptions) {
    this.#options = options
    this.#frame = element('iframe', { title: options.title, sandbox: SANDBOX, allow: 'clipboard-write; fullscreen' })
    if (options.isOneModule) this.#frame.name = ONE_MODULE
    this.element = element('section', { class: 'embed-preview', 'aria-label': 'Preview' })
    if (options.runLabel === null) return
    const run = element(
      'button',
      { class: 'embed-button', type: 'button', click: () => this.#begin() },
      options.runLabel,
    )
    this.element.append(element('div', { class: 'embed-message' }, run))
  }

  /** The pane can be seen. */
  shown(): void {
    if (this.#options.runLabel === null) this.#begin()
  }

  #begin(): void {
    if (this.#hasBegun) return
    this.#hasBegun = true
    const { hideNavigation, path, onRun } = this.#options
    onRun()
    this.#go(path)
    this.element.replaceChildren(...(hideNavigation ? [] : [this.#bar()]), this.#frame)
  }

  #go(path: string): void {
    const { origin } = this.#options
    const address = new URL(path, origin)
    this.#frame.src = address.origin === origin ? address.href : origin
  }

  #bar(): HTMLElement {
    const { origin, path } = this.#options
    const input = element('input', {
      name: 'path',
      'aria-label': 'Path of the preview',
      spellcheck: 'false',
      autocomplete: 'off',
      value: path,
    })
    const go = () => this.#go(input.value.startsWith('/') ? input.value : `/${input.value}`)
    const submit = (event: Event) => {
      event.preventDefault()
      go()
    }
    return element(
      'form',
      { class: 'embed-bar', submit },
      element('button', { class: 'embed-button', type: 'button', click: go }, 'Reload'),
      input,
      element('a', { class: 'embed-button', href: origin, target: '_blank', rel: 'noopener' }, 'New tab'),
    )
  }
}

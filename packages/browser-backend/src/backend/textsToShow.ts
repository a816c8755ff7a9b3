/** When the preview follows a text: a while after an edit, or when it is saved. */
export type PreviewRun = 'edit-delayed' | 'save'

/** After an edit that is not saved the preview follows after this long, so that it does not jump at every key. */
const PREVIEW_DELAY_MS = 500

/** Texts that were edited and that the preview does not have yet, by path in the project. */
export class TextsToShow {
  readonly #texts = new Map<string, string>()
  readonly #show: (texts: ReadonlyMap<string, string>) => void
  readonly #timers: Pick<typeof globalThis, 'setTimeout' | 'clearTimeout'>
  #run: PreviewRun = 'edit-delayed'
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(
    show: (texts: ReadonlyMap<string, string>) => void,
    timers: Pick<typeof globalThis, 'setTimeout' | 'clearTimeout'>,
  ) {
    this.#show = show
    this.#timers = timers
  }

  /** From now on. */
  follow(run: PreviewRun): void {
    this.#run = run
    if (run === 'edit-delayed') this.#showNow()
  }

  edited(path: string, text: string): void {
    this.#texts.set(path, text)
    this.#timers.clearTimeout(this.#timer)
    if (this.#run === 'save') return
    this.#timer = this.#timers.setTimeout(() => this.#showNow(), PREVIEW_DELAY_MS)
  }

  /** What is typed elsewhere comes along, unless it waits to be saved itself. */
  saved(path: string): void {
    if (this.#run === 'edit-delayed') return this.#showNow()
    const text = this.#texts.get(path)
    if (text === undefined) return
    this.#texts.delete(path)
    this.#show(new Map([[path, text]]))
  }

  /** The preview gets it in another way, or it has gone. */
  forget(path: string): void {
    this.#texts.delete(path)
  }

  #showNow(): void {
    this.#timers.clearTimeout(this.#timer)
    if (this.#texts.size === 0) return
    this.#show(new Map(this.#texts))
    this.#texts.clear()
  }
}

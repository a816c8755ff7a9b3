import type { ThemeName } from '@boxyard/ui'

const key = 'boxyard.theme'

/**
 * The person's choice of theme: kept in this browser, dark at first, and the same in every open tab. The page of an editor is as dark or light as
 * the editor's theme, whatever is chosen for the others.
 */
export class ThemePreference {
  readonly #listeners = new Set<() => void>()
  readonly #choiceListeners = new Set<(theme: ThemeName) => void>()
  #chosen: ThemeName
  #followed: ThemeName | null = null

  constructor() {
    this.#chosen = stored()
    window.addEventListener('storage', (event) => {
      if (event.key !== key) return
      const theme = event.newValue === 'light' ? 'light' : 'dark'
      if (this.#followed === null) this.#choose(theme)
      else this.#chosen = theme
    })
  }

  /** What is shown. */
  readonly current = (): ThemeName => this.#followed ?? this.#chosen

  /** What was chosen for every page. */
  readonly chosen = (): ThemeName => this.#chosen

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  choose(theme: ThemeName): void {
    try {
      localStorage.setItem(key, theme)
    } catch (error) {
      console.warn('The theme is not kept, storage is closed to this page', error)
    }
    this.#choose(theme)
  }

  /** Calls back when somebody has chosen, also what was chosen before; not when the page follows the editor. */
  readonly onChoice = (listener: (theme: ThemeName) => void): (() => void) => {
    this.#choiceListeners.add(listener)
    return () => this.#choiceListeners.delete(listener)
  }

  toggle(): void {
    this.choose(this.current() === 'dark' ? 'light' : 'dark')
  }

  /** Shows this page as the editor's theme is. */
  follow(theme: ThemeName): void {
    this.#change(this.#chosen, theme === this.#chosen ? null : theme)
  }

  #choose(theme: ThemeName): void {
    this.#change(theme, null)
    for (const listener of this.#choiceListeners) listener(theme)
  }

  #change(chosen: ThemeName, followed: ThemeName | null): void {
    this.#chosen = chosen
    this.#followed = followed
    document.documentElement.dataset['theme'] = this.current()
    for (const listener of this.#listeners) listener()
  }
}

function stored(): ThemeName {
  try {
    return localStorage.getItem(key) === 'light' ? 'light' : 'dark'
  } catch {
    // Storage may be closed to the page; the default theme stays.
    return 'dark'
  }
}

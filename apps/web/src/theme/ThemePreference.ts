import type { ThemeName } from '@boxyard/ui'

const key = 'boxyard.theme'

/**
 * The person's choice of theme: kept in this browser, dark at first, and the same in every open tab. The page of an editor is as dark or light as
 * the editor's theme, whatever is chosen for the others.
 */
export class ThemePreference {
  readonly #listeners = new Set<() => void>()
  #chosen: ThemeName
  #followed: ThemeName | null = null

  constructor() {
    this.#chosen = stored()
    window.addEventListener('storage', (event) => {
      if (event.key === key) this.#change(event.newValue === 'light' ? 'light' : 'dark', this.#followed)
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
    this.#change(theme, null)
  }

  toggle(): void {
    this.choose(this.current() === 'dark' ? 'light' : 'dark')
  }

  /** Shows this page as the editor's theme is. */
  follow(theme: ThemeName): void {
    this.#change(this.#chosen, theme === this.#chosen ? null : theme)
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

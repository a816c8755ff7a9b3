import type { ThemeName } from '@boxyard/ui'

const key = 'boxyard.theme'

/** The person's choice of theme: kept in this browser, dark at first, and the same in every open tab. */
export class ThemePreference {
  readonly #listeners = new Set<() => void>()
  #theme: ThemeName

  constructor() {
    this.#theme = document.documentElement.dataset['theme'] === 'light' ? 'light' : 'dark'
    window.addEventListener('storage', (event) => {
      if (event.key === key) this.#apply(event.newValue === 'light' ? 'light' : 'dark')
    })
  }

  readonly current = (): ThemeName => this.#theme

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
    this.#apply(theme)
  }

  toggle(): void {
    this.choose(this.#theme === 'dark' ? 'light' : 'dark')
  }

  #apply(theme: ThemeName): void {
    this.#theme = theme
    document.documentElement.dataset['theme'] = theme
    for (const listener of this.#listeners) listener()
  }
}

import type { ReactNode } from 'react'

export interface PaletteAction {
  id: string
  name: string
  keywords?: readonly string[]
  subtitle?: string
  section?: string
  /** Higher comes first among equals. */
  priority?: number
  /** The id of the action whose choice opens the list that this one is in. */
  parent?: string
  icon?: ReactNode
  /** As shown, such as `Ctrl K`. */
  shortcut?: string
  /** An action without one opens the list of its children. */
  perform?: () => void
}

import type { PaletteAction } from '@boxyard/ui'
import { createContext, useContext, useEffect } from 'react'

export interface Palette {
  open: () => void
  /** Adds actions until the answer is called. */
  add: (actions: readonly PaletteAction[]) => () => void
}

export const PaletteContext = createContext<Palette | null>(null)

export function usePalette(): Palette {
  const palette = useContext(PaletteContext)
  if (!palette) throw new Error('usePalette() outside of the palette')
  return palette
}

/** Offers actions in the palette while the caller is on the page. Memoize the list. */
export function usePaletteActions(actions: readonly PaletteAction[]): void {
  const { add } = usePalette()
  useEffect(() => add(actions), [add, actions])
}

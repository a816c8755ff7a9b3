import { CommandPalette } from '@boxyard/ui'
import type { PaletteAction } from '@boxyard/ui'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { PaletteContext } from './PaletteContext.ts'
import { isShortcut } from './shortcut.ts'
import { useGlobalActions } from './useGlobalActions.tsx'

/** Holds the command palette and what every page and place offers in it. */
export function PaletteHost({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const [offers, setOffers] = useState<readonly (readonly PaletteAction[])[]>([])
  const global = useGlobalActions()

  const add = useCallback((actions: readonly PaletteAction[]) => {
    setOffers((present) => [...present, actions])
    return () => setOffers((present) => present.filter((other) => other !== actions))
  }, [])
  const palette = useMemo(() => ({ open: () => setOpen(true), add }), [add])
  const actions = useMemo(() => [...offers.flat(), ...global], [offers, global])

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // In the editor the same keys begin its own key chords.
      const inEditor = event.target instanceof Element && event.target.closest('[data-workbench]')
      if (inEditor || !isShortcut(event, 'k')) return
      event.preventDefault()
      setOpen((open) => !open)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])

  return (
    <PaletteContext value={palette}>
      {children}
      <CommandPalette open={isOpen} onOpenChange={setOpen} actions={actions} />
    </PaletteContext>
  )
}

import type { SaveState, Workbench } from '@boxyard/workbench'
import { useMemo, useSyncExternalStore } from 'react'
import { eventStore } from './eventStore.ts'

const words: Readonly<Record<SaveState, string>> = {
  saved: 'Saved',
  saving: 'Saving',
  // Every keystroke is on the machine's disk; the file itself has the text once it is saved.
  unsaved: 'Kept, not saved',
  offline: 'Kept in this page',
  full: 'Disk full',
}

const nothing = { current: () => null, subscribe: () => () => {} }

/** How far what was typed is stored; null before there is an editor. */
export function useSavingWords(workbench: Workbench | null, isConnected: boolean): string | null {
  const store = useMemo(
    () => (workbench ? eventStore<SaveState>(() => workbench.saveState, workbench.onDidChangeSaveState) : nothing),
    [workbench],
  )
  const state = useSyncExternalStore<SaveState | null>(store.subscribe, store.current)
  if (!state) return null
  return isConnected ? words[state] : words.offline
}

import type { Workbench } from '@boxyard/workbench'

/** Resolves when nothing that was typed is on its way to where it is kept. */
export function whenStored({
  saveState,
  onDidChangeSaveState,
}: Pick<Workbench, 'saveState' | 'onDidChangeSaveState'>): Promise<void> {
  if (saveState !== 'saving') return Promise.resolve()
  return new Promise((resolve) => {
    const listening = onDidChangeSaveState((state) => {
      if (state === 'saving') return
      listening.dispose()
      resolve()
    })
  })
}

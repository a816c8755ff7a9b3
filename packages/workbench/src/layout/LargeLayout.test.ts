import { Emitter } from '@codingame/monaco-vscode-api/vscode/vs/base/common/event'
import { expect, it, vi } from 'vitest'
import { LargeLayout } from './LargeLayout.ts'

vi.mock('@codingame/monaco-vscode-api/vscode/vs/workbench/services/layout/browser/layoutService', () => ({ Parts: {} }))
vi.stubGlobal('window', {})

function workbench() {
  const kept = new Map<string, string>([
    ['workbench.sideBar.size', '280'],
    ['workbench.panel.size', '240'],
  ])
  const saves = new Emitter<never>()
  const set = (key: string, value: unknown) =>
    void (value === undefined ? kept.delete(key) : kept.set(key, String(value)))
  const storage = {
    get: (key: string) => kept.get(key),
    getNumber: (key: string) => (kept.has(key) ? Number(kept.get(key)) : undefined),
    remove: (key: string) => void kept.delete(key),
    store: set,
    onWillSaveState: saves.event,
  }
  const layout = { isVisible: () => true, getSize: () => ({}), setPartHidden: () => {}, setSize: () => {} }
  return { kept, set, save: () => saves.fire(undefined as never), large: new LargeLayout({ layout, storage } as never) }
}

it('WB841: what a small window leaves behind is not the size of the side bar and the panel in a large one', () => {
  const { kept, set, save, large } = workbench()
  large.keep()
  // What the workbench itself saves of a small window: its panel has all the room.
  set('workbench.sideBar.size', 334)
  set('workbench.panel.size', 800)
  save()
  expect(kept.get('workbench.sideBar.size')).toBe('280')
  expect(kept.get('workbench.panel.size')).toBe('240')
})

import type { IStorageService, IWorkbenchLayoutService } from '@codingame/monaco-vscode-api'
import { StorageScope, StorageTarget } from '@codingame/monaco-vscode-api/vscode/vs/platform/storage/common/storage'
import { Parts } from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/layout/browser/layoutService'
import { z } from 'zod'

const KEY = 'boxyard.largeLayout'
const schema = z.object({ sideBar: z.boolean(), auxiliaryBar: z.boolean(), panel: z.boolean() })
/** Where the workbench keeps the width of the side bar and the height of the panel, in pixels, for all workspaces. */
const WIDTH_KEY = 'workbench.sideBar.size'
const HEIGHT_KEY = 'workbench.panel.size'
/** Pixels; what the workbench begins with, where a quarter of the window is not less. */
const WIDTH = 300

export interface LargeLayoutOptions {
  layout: Pick<IWorkbenchLayoutService, 'getSize' | 'isVisible' | 'setPartHidden' | 'setSize'>
  storage: Pick<IStorageService, 'get' | 'getNumber' | 'onWillSaveState' | 'remove' | 'store'>
}

/**
 * The panes of the last large window, kept as long as the window is small, over visits too. The workbench itself keeps what a window shows for the
 * next visit, however large that one's window is.
 */
export class LargeLayout {
  readonly #layout: LargeLayoutOptions['layout']
  readonly #storage: LargeLayoutOptions['storage']
  /** Not what the side bar has now: a window is laid out before it is known to be small. */
  #width: number | undefined
  #height: number | undefined

  /** Made after the workbench's own layout, which saves first what is put back here. */
  constructor({ layout, storage }: LargeLayoutOptions) {
    this.#layout = layout
    this.#storage = storage
    this.#readSizes()
    storage.onWillSaveState(() => {
      if (!this.isKept) return
      storage.store(WIDTH_KEY, this.#width, StorageScope.PROFILE, StorageTarget.MACHINE)
      // In a small window it has all the room.
      storage.store(HEIGHT_KEY, this.#height, StorageScope.PROFILE, StorageTarget.MACHINE)
    })
  }

  get isKept(): boolean {
    return this.#storage.get(KEY, StorageScope.WORKSPACE) !== undefined
  }

  /** Keeps what is shown now, unless something is kept already: that is from before the window became small. */
  keep(): void {
    if (this.isKept) return
    this.#readSizes()
    const isVisible = (part: Parts) => this.#layout.isVisible(part, window)
    const shown = {
      sideBar: isVisible(Parts.SIDEBAR_PART),
      auxiliaryBar: isVisible(Parts.AUXILIARYBAR_PART),
      panel: isVisible(Parts.PANEL_PART),
    }
    this.#storage.store(KEY, JSON.stringify(shown), StorageScope.WORKSPACE, StorageTarget.MACHINE)
  }

  /** Shows what is kept, and forgets it. */
  restore(): void {
    const text = this.#storage.get(KEY, StorageScope.WORKSPACE)
    if (text === undefined) return
    this.#storage.remove(KEY, StorageScope.WORKSPACE)
    const { sideBar, auxiliaryBar, panel } = schema.parse(JSON.parse(text))
    this.#layout.setPartHidden(!panel, Parts.PANEL_PART)
    this.#layout.setPartHidden(!auxiliaryBar, Parts.AUXILIARYBAR_PART)
    this.#layout.setPartHidden(!sideBar, Parts.SIDEBAR_PART)
    if (!sideBar) return
    const { height } = this.#layout.getSize(Parts.SIDEBAR_PART)
    const width = this.#width ?? Math.min(WIDTH, window.innerWidth / 4)
    this.#layout.setSize(Parts.SIDEBAR_PART, { width, height })
  }

  #readSizes(): void {
    this.#width = this.#storage.getNumber(WIDTH_KEY, StorageScope.PROFILE)
    this.#height = this.#storage.getNumber(HEIGHT_KEY, StorageScope.PROFILE)
  }
}

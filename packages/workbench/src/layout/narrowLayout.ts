import {
  getService,
  GroupsOrder,
  IEditorGroupsService,
  IStorageService,
  IWorkbenchLayoutService,
} from '@codingame/monaco-vscode-api'
import { GroupsArrangement } from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/editor/common/editorGroupsService'
import { Parts } from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/layout/browser/layoutService'
import { Emitter } from '@boxyard/dev-server-client'
import type { Pane } from '../index.ts'
import { onUnexpectedError } from '@codingame/monaco-vscode-api/vscode/vs/base/common/errors'
import { LargeLayout } from './LargeLayout.ts'
import { NARROW } from './narrow.ts'
import { keepNarrowDefaults } from './narrowDefaults.ts'
import type { Panes } from './panes.ts'
import { shortLenses } from './shortLenses.ts'
import { showAllColumns } from './showAllColumns.ts'
import './narrowLayout.css'

/**
 * Closes the side bar in a window that is, or becomes, too small for it, and shows one pane at a time there. In a large one it shows again what the
 * last large one did. Whoever chooses the terminal before `terminals` are there has it then: the workbench would hide a panel without any, or fill it
 * with one more.
 */
export async function narrowLayout(terminals: Promise<void>): Promise<Panes> {
  const layout = await getService(IWorkbenchLayoutService)
  const groups = await getService(IEditorGroupsService)
  const large = new LargeLayout({ layout, storage: await getService(IStorageService) })
  const media = window.matchMedia(NARROW)
  keepNarrowDefaults(media)
  await shortLenses(media)

  /** Hidden while it takes all the room, it would do that again when it is opened next. */
  const shrinkPanel = () => {
    if (layout.isVisible(Parts.PANEL_PART, window) && layout.isPanelMaximized()) layout.toggleMaximizedPanel()
  }
  let shown: Pane = 'code'
  let hasTerminals = false
  const changes = new Emitter<Pane>()
  const showGroup = (index: number, isAsked: boolean) => {
    shrinkPanel()
    layout.setPartHidden(true, Parts.PANEL_PART)
    const all = groups.getGroups(GroupsOrder.GRID_APPEARANCE)
    const group = all[Math.min(index, all.length - 1)]
    if (!group) return
    groups.activateGroup(group)
    if (all.length > 1) groups.arrangeGroups(GroupsArrangement.MAXIMIZE, group)
    if (isAsked) group.focus()
  }
  const bring = (pane: Pane, isAsked: boolean) => {
    const isOther = shown !== pane
    shown = pane
    if (isOther) changes.fire(pane)
    layout.setPartHidden(true, Parts.SIDEBAR_PART)
    if (pane !== 'terminal') return showGroup(pane === 'code' ? 0 : 1, isAsked)
    if (!hasTerminals) return
    layout.setPartHidden(false, Parts.PANEL_PART)
    if (!layout.isPanelMaximized()) layout.toggleMaximizedPanel()
    if (isAsked) layout.focusPart(Parts.PANEL_PART)
  }
  const begin = () => {
    large.keep()
    layout.setPartHidden(true, Parts.SIDEBAR_PART)
    layout.setPartHidden(true, Parts.AUXILIARYBAR_PART)
    const all = groups.getGroups(GroupsOrder.GRID_APPEARANCE)
    if (all.length > 1 && !groups.mainPart.hasMaximizedGroup())
      groups.arrangeGroups(GroupsArrangement.MAXIMIZE, all[0]!)
  }
  /** Where the person is in a large window. */
  const paneInUse = (): Pane => {
    if (layout.hasFocus(Parts.PANEL_PART) && layout.isVisible(Parts.PANEL_PART, window)) return 'terminal'
    const [first] = groups.getGroups(GroupsOrder.GRID_APPEARANCE)
    return groups.activeGroup === first ? 'code' : 'preview'
  }
  const end = (isLaidOut: boolean) => {
    showAllColumns(groups, isLaidOut)
    shrinkPanel()
    // A drawer that is open has a width of its own.
    layout.setPartHidden(true, Parts.SIDEBAR_PART)
    large.restore()
  }
  media.addEventListener('change', () => {
    if (media.matches) {
      const pane = paneInUse()
      begin()
      return bring(pane, false)
    }
    const isPanelShown = layout.isVisible(Parts.PANEL_PART, window)
    end(false)
    // Who turns the device goes on in the terminal.
    if (isPanelShown) layout.setPartHidden(false, Parts.PANEL_PART)
  })
  // The preview opens beside the code after a while: what is looked at stays in front.
  groups.onDidAddGroup(() =>
    queueMicrotask(() => {
      if (media.matches && !groups.mainPart.hasMaximizedGroup()) begin()
    }),
  )
  // Keys and commands lead to the terminal and back too. A pane that was asked for stays until the person does something else: the editor may take the
  // focus meanwhile by itself, as a text does that opens late.
  let isAskedFor = false
  for (const event of ['keydown', 'pointerdown'] as const)
    window.addEventListener(event, () => (isAskedFor = false), { capture: true })
  layout.getContainer(window, Parts.PANEL_PART)?.addEventListener('focusin', () => {
    if (media.matches && shown !== 'terminal') bring('terminal', false)
  })
  const leavePanel = () => {
    if (media.matches && shown === 'terminal') bring(paneInUse(), false)
  }
  layout.getContainer(window, Parts.EDITOR_PART)?.addEventListener('focusin', () => {
    if (!isAskedFor) leavePanel()
  })
  layout.onDidChangePartVisibility(({ partId, visible }) => {
    if (partId === Parts.PANEL_PART && !visible) leavePanel()
  })
  const showTerminals = () => {
    hasTerminals = true
    if (media.matches && shown === 'terminal') bring('terminal', isAskedFor)
  }
  terminals.then(showTerminals).catch(onUnexpectedError)
  await groups.whenReady
  // Before anything is hidden.
  if (media.matches) large.keep()
  else if (large.isKept) end(true)
  // The window may have become large meanwhile.
  const beginIfSmall = () => {
    if (!media.matches) return
    begin()
    bring(shown, false)
  }
  layout.whenRestored.then(beginIfSmall).catch(onUnexpectedError)
  // Fetched where it is needed.
  let drawer: Promise<void> | undefined
  const makeDrawer = () => {
    if (!media.matches || drawer) return
    drawer = import('./sideDrawer.ts').then(({ sideDrawer }) => sideDrawer(media))
    drawer.catch(onUnexpectedError)
  }
  media.addEventListener('change', makeDrawer)
  makeDrawer()
  return {
    onDidChangePane: changes.event,
    show: (pane) => {
      isAskedFor = true
      bring(pane, true)
    },
    keep: () => {
      if (media.matches) bring(shown, false)
    },
  }
}

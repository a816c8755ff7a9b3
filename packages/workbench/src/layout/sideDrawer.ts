import { IEditorService, IWorkbenchLayoutService, getService } from '@codingame/monaco-vscode-api'
import { Parts } from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/layout/browser/layoutService'
import './sideDrawer.css'

/** Pixels. */
const WIDTH = 300
/** Of the editor that stays in view, to be tapped. */
const STRIP = 40

/** A part of the workbench as its layout has it; VS Code keeps it to itself. */
interface SizedPart {
  minimumWidth: number
}

function sideBarOf(layout: object): SizedPart {
  const part: unknown =
    'getPart' in layout && typeof layout.getPart === 'function' && layout.getPart(Parts.SIDEBAR_PART)
  if (typeof part === 'object' && part !== null && 'minimumWidth' in part) return part as SizedPart
  throw new Error('The layout of this version has no side bar whose width can be set')
}

/** Makes a drawer of the side bar where the window is small: what it covers is dimmed, and a tap there, Escape or an opened file closes it. */
export async function sideDrawer(small: MediaQueryList): Promise<void> {
  const layout = await getService(IWorkbenchLayoutService)
  const editors = await getService(IEditorService)
  const close = () => {
    if (small.matches) layout.setPartHidden(true, Parts.SIDEBAR_PART)
  }
  const sideBar = sideBarOf(layout)
  const usualMinimum = sideBar.minimumWidth
  const dim = document.createElement('button')
  dim.className = 'boxyard-drawer-dim'
  dim.ariaLabel = 'Close the side bar'
  dim.addEventListener('click', close)

  const show = () => {
    const isOpen = small.matches && layout.isVisible(Parts.SIDEBAR_PART)
    if (!isOpen) {
      sideBar.minimumWidth = usualMinimum
      return dim.remove()
    }
    const bar = layout.getContainer(window, Parts.SIDEBAR_PART)
    if (!bar) return
    const { height } = layout.getSize(Parts.SIDEBAR_PART)
    const left = bar.getBoundingClientRect().left
    const width = Math.min(WIDTH, window.innerWidth - left - STRIP)
    // The editor beside it is left what the side bar does not need.
    sideBar.minimumWidth = Math.max(usualMinimum, width)
    layout.setSize(Parts.SIDEBAR_PART, { width, height })
    const { top, right, bottom } = bar.getBoundingClientRect()
    // The page above and below can still be used.
    dim.style.inset = `${top}px 0 ${window.innerHeight - bottom}px ${right}px`
    if (!dim.isConnected) layout.mainContainer.append(dim)
  }
  layout.onDidChangePartVisibility(show)
  layout.onDidLayoutMainContainer(() => {
    if (dim.isConnected) show()
  })
  small.addEventListener('change', show)
  editors.onDidActiveEditorChange(() => {
    if (dim.isConnected) close()
  })
  layout.mainContainer.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && dim.isConnected && !event.defaultPrevented) close()
  })
  show()
}

import { moduleView } from '@boxyard/browser-backend/module-view'
import { ONE_MODULE } from '@boxyard/browser-backend/one-module'

/** Everything a page of its own may do, but for taking the editor's place. */
const SANDBOX =
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals allow-downloads allow-pointer-lock'

/** The frame of a preview, without its address: what it may do has to be settled before it gets one. */
export function makePreviewFrame(title: string): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.title = title
  if (moduleView(location.search) !== null) frame.name = ONE_MODULE
  frame.allow = 'clipboard-read; clipboard-write; fullscreen; geolocation; microphone; camera'
  frame.setAttribute('sandbox', SANDBOX)
  if (window.crossOriginIsolated) frame.setAttribute('credentialless', '')
  return frame
}

/** Moves an element without a new start of what is in it; not every browser can. */
type Mover = Element & { moveBefore?: (node: Node, child: Node | null) => void }

export const canMoveFrames = (): boolean => 'moveBefore' in Element.prototype

interface Early {
  frame: HTMLIFrameElement
  address: string
}
let early: Early | null = null

/**
 * Shows a preview in this element before there is a pane for it, which takes it over as it is. `shown`: a frame that shows the address
 * elsewhere in this page already, where frames can be moved. Returns what removes it if no pane took it.
 */
export function showEarlyPreview(holder: Mover, address: string, title: string, shown?: HTMLIFrameElement): () => void {
  const frame = shown ?? makePreviewFrame(title)
  if (shown) {
    holder.moveBefore!(shown, null)
  } else {
    frame.src = address
    holder.replaceChildren(frame)
  }
  const mine: Early = { frame, address }
  early = mine
  return () => {
    if (early !== mine) return
    early = null
    frame.remove()
  }
}

/** The frame that shows a page of this origin already, moved here; null when there is none. */
export function takeEarlyPreview(holder: Mover, origin: string): HTMLIFrameElement | null {
  if (!early || !holder.moveBefore || new URL(early.address).origin !== origin || !early.frame.isConnected) return null
  const { frame } = early
  early = null
  holder.moveBefore(frame, null)
  return frame
}

import { limits } from '@boxyard/browser-backend/agent-messages'
import type { ToAgent } from '@boxyard/browser-backend/agent-messages'
import { Allowance } from '@boxyard/browser-backend/allowance'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { makePreviewFrame, takeEarlyPreview } from './earlyPreview.ts'
import { pageMessage } from './pageMessage.ts'
import type { PageStore } from './pageStore.ts'

/** Sends a command to the page in the frame. */
export type TellPage = (command: ToAgent['command']) => void

export interface PreviewFrameProps {
  /** A new object goes there, even when it is the same address. */
  destination: { readonly address: string }
  title: string
  page: PageStore
  /** The size of a device; undefined fills the pane. */
  size: { width: number; height: number } | undefined
  onTell(tell: TellPage): void
}

/**
 * The page itself, on an origin of its own. Made by hand, because what a frame may do has to be settled before it gets its
 * address: a page isolated for shared memory shows frames of other origins only without their credentials.
 */
export function PreviewFrame({ destination, title, page, size, onTell }: PreviewFrameProps) {
  const holder = useRef<HTMLDivElement>(null)
  const shown = useRef<HTMLIFrameElement | null>(null)
  const isTaken = useRef(false)
  const { origin } = new URL(destination.address)
  useEffect(() => {
    const taken = holder.current && takeEarlyPreview(holder.current, origin)
    const frame = taken ?? makePreviewFrame(title)
    frame.title = title
    const tell: TellPage = (command) =>
      frame.contentWindow?.postMessage({ boxyard: 'editor', command } satisfies ToAgent, origin)
    let hasSpoken = false
    const allowance = new Allowance(limits.atOnce, limits.perSecond)
    const hear = (event: MessageEvent<unknown>) => {
      if (event.source !== frame.contentWindow || !allowance.take()) return
      const message = pageMessage(event, origin)
      if (!message) return
      page.hear(message)
      if (message.type !== 'hello') return
      hasSpoken = true
      tell('greet')
    }
    // A page that talks does so before it has loaded.
    const loaded = () => {
      if (!hasSpoken) page.hear({ type: 'silent' })
      hasSpoken = false
    }
    frame.addEventListener('load', loaded)
    window.addEventListener('message', hear)
    shown.current = frame
    onTell(tell)
    isTaken.current = taken !== null
    // It has greeted already, when nobody listened, and keeps what it has to say until it is answered.
    if (taken) {
      hasSpoken = true
      page.hear({ type: 'hello' })
      tell('greet')
    }
    return () => {
      window.removeEventListener('message', hear)
      shown.current = null
      frame.remove()
    }
  }, [origin, title, page, onTell])
  // In the same frame, so that the page of before is one step back.
  useEffect(() => {
    const frame = shown.current
    if (!frame) return
    // One that was taken over is there.
    if (isTaken.current) return void (isTaken.current = false)
    frame.src = destination.address
    if (!frame.isConnected) holder.current?.replaceChildren(frame)
  }, [destination])
  const scale = useScale(holder, size)
  const style = size && { width: size.width, height: size.height, transform: `scale(${scale})` }
  return (
    <div className={size ? 'boxyard-preview-frame boxyard-preview-device' : 'boxyard-preview-frame'}>
      <div ref={holder} style={style} />
    </div>
  )
}

/** How much a device has to shrink to stand in the pane. */
function useScale(holder: React.RefObject<HTMLDivElement | null>, size: PreviewFrameProps['size']): number {
  const [scale, setScale] = useState(1)
  const { width, height } = size ?? {}
  useLayoutEffect(() => {
    const pane = holder.current?.parentElement
    if (!pane || width === undefined || height === undefined) return
    const fit = () => setScale(Math.min(1, pane.clientWidth / width, pane.clientHeight / height))
    const observer = new ResizeObserver(fit)
    observer.observe(pane)
    return () => observer.disconnect()
  }, [holder, width, height])
  return scale
}

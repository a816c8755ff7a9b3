import type { EarlyEngine } from '@boxyard/browser-backend/early-engine'
import { isBarePath } from '../barePage.ts'

/** From this width on the preview has room beside the editor. */
export const BOTH_PX = 960

/** What the server says in the page of a sandbox without a machine. */
export interface SandboxOfPage {
  id: string
  /** Lets the person's browser into the preview; null for a visitor, and where visitors may look. */
  token: string | null
  /** The page of the preview shows the sandbox before anybody compiles it. */
  isPrepared: boolean
}

/** A preview that was started before the app was there. */
export interface EarlySandbox {
  id: string
  /** Resolves when the largest of what it needs is there: what else is fetched comes after. */
  whenFetched: Promise<void>
  /** Has it compiled, whatever there is to see. */
  start(): void
  /** Once; whoever has taken it ends it. Undefined when it is gone. */
  take(): { engine: EarlyEngine; frame: HTMLIFrameElement; address: string } | undefined
  /** Ends it, unless somebody has taken it. */
  drop(): void
}

declare global {
  interface Window {
    boxyardEarlySandbox?: EarlySandbox | undefined
  }
}

/** Whether a page at this address shows the preview of the whole sandbox, below the page's own header. */
export function takesEarlyPreview({ pathname, search }: Pick<Location, 'pathname' | 'search'>): boolean {
  if (!pathname.startsWith('/sandbox/') || isBarePath(pathname)) return false
  const query = new URLSearchParams(search)
  // Whether there is to be a copy is asked first.
  return !query.has('moduleview') && !query.has('fork')
}

/** The preview that the page began with, if it is that of this sandbox; any other one ends here. */
export function takeEarlySandbox(id: string, isWanted: boolean) {
  const early = window.boxyardEarlySandbox
  window.boxyardEarlySandbox = undefined
  if (early?.id === id && isWanted) return early.take()
  early?.drop()
  return undefined
}

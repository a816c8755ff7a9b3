import { EarlyEngine } from '@boxyard/browser-backend/early-engine'
import { PREVIEW_PORT } from '@boxyard/browser-backend/preview-port'
import { canMoveFrames, makePreviewFrame } from '@boxyard/workbench/early-preview'
import { previewOrigin, previewPlace, previewUrl } from '../previewUrl.ts'
import { BOTH_PX, takesEarlyPreview } from './earlySandbox.ts'
import type { EarlySandbox, SandboxOfPage } from './earlySandbox.ts'
import type { EditorFiles } from './preloadFiles.ts'

/** Height of the page's header, under which the editor will be. */
const HEADER_PX = 40

/**
 * Starts the preview of the sandbox that the server has named in the page, with nothing of the app: a worker that reads and compiles it, and
 * its page where the pane will stand. Undefined where the app has to do it.
 */
export function startPreview(
  page: Document,
  { engine, wasm }: EditorFiles,
  onShown: () => void,
): EarlySandbox | undefined {
  const text = page.querySelector('script#sandbox-of-page')?.textContent
  if (!text || !canMoveFrames() || window.innerWidth < BOTH_PX || !takesEarlyPreview(location)) return undefined
  const { id, token, isPrepared } = JSON.parse(text) as SandboxOfPage
  const place = { ...previewPlace(), id, port: PREVIEW_PORT }
  const address = previewUrl({ ...place, token })
  const frame = makePreviewFrame('Preview')
  frame.src = address
  frame.style.cssText = `position: fixed; top: ${HEADER_PX}px; right: 0; width: 50%; height: calc(100% - ${HEADER_PX}px); border: 0; background: white`
  // The script runs before there is a body.
  page.documentElement.append(frame)
  const started = new EarlyEngine({
    script: `/${engine}`,
    wasm: new URL(`/${wasm}`, location.href).href,
    api: new URL(`/api/v1/sandboxes/${encodeURIComponent(id)}`, location.href).href,
    previewOrigin: previewOrigin(place),
    isPrepared,
    onShown,
  })
  let isOver = false
  return {
    id,
    whenFetched: started.whenFetched,
    start() {
      if (!isOver) started.start()
    },
    take() {
      if (isOver) return undefined
      isOver = true
      frame.removeAttribute('style')
      return { engine: started, frame, address }
    },
    drop() {
      if (isOver) return
      isOver = true
      started.dispose()
      frame.remove()
    },
  }
}

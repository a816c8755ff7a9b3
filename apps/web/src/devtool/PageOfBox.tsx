import { makePreviewFrame } from '@boxyard/workbench/early-preview'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useApp } from '../App.ts'
import { boxApi } from '../editor/boxApi.ts'
import { EditorErrorPage } from '../editor/EditorErrorPage.tsx'
import { loadErrorCode } from '../editor/editorErrors.ts'
import { previewPlace, previewUrl } from '../editor/previewUrl.ts'
import type { PreviewPlace } from './previewHost.ts'

/** The page of a port with nothing around it. */
export function PageOfBox({ id, port }: PreviewPlace) {
  const { rest } = useApp()
  const holder = useRef<HTMLDivElement>(null)
  const { data: url, error } = useQuery({
    queryKey: ['page-of-box', id, port],
    queryFn: async () => previewUrl({ ...previewPlace(), id, port, token: await boxApi(rest, id).previewToken() }),
    // The page has traded it for a cookie of its own.
    staleTime: Infinity,
    retry: false,
  })
  useEffect(() => {
    if (!holder.current || url === undefined) return undefined
    const frame = makePreviewFrame(`Port ${port}`)
    frame.className = 'size-full border-0 bg-white'
    frame.src = url
    holder.current.append(frame)
    return () => frame.remove()
  }, [url, port])
  if (error) return <EditorErrorPage code={loadErrorCode(error, 'devbox')} id={id} error={error} state="ERROR" />
  return <div ref={holder} aria-busy={url === undefined} className="h-dvh w-full overflow-hidden" />
}

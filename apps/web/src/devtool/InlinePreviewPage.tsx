import { previewPlace } from '../editor/previewUrl.ts'
import { NotFoundPage } from '../routes/NotFoundPage.tsx'
import { PageOfBox } from './PageOfBox.tsx'
import { previewHost } from './previewHost.ts'

/** What the host of a preview shows, without anything of the app. */
export function InlinePreviewPage({ host }: { host: string }) {
  const place = previewHost(host, previewPlace().base)
  return place ? <PageOfBox {...place} /> : <NotFoundPage />
}

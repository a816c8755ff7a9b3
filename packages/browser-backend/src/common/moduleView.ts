import { filePlace } from '@boxyard/api/file-place'

/** The file, relative to the workspace, that an address wants the preview to run in place of its page; null for the page. */
export function moduleView(search: string): string | null {
  const query = new URLSearchParams(search)
  const asked = query.get('moduleview')
  if (asked === null || asked === 'false' || asked === '0') return null
  return filePlace(query.get('file') ?? '').path || null
}

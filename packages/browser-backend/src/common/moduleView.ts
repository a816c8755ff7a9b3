import { filePlace } from '@boxyard/api/file-place'
import { isFlagSet } from '@boxyard/api/is-flag-set'

/** The file, relative to the workspace, that an address wants the preview to run in place of its page; null for the page. */
export function moduleView(search: string): string | null {
  const query = new URLSearchParams(search)
  if (!isFlagSet(query.get('moduleview'))) return null
  return filePlace(query.get('file') ?? '').path || null
}

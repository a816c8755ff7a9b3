import { KeptAnswers } from '@boxyard/browser-backend/kept-answers'
import { sandboxOf } from './offlineFetch.ts'

/** Keeps the page of a sandbox, as the server sends it now, for when no server answers. The service worker shows it. */
export async function keepPage({ pathname, origin }: Pick<Location, 'pathname' | 'origin'>): Promise<void> {
  const sandbox = sandboxOf(pathname)
  if (sandbox === undefined) return
  await new KeptAnswers(sandbox).fetch(origin + pathname, { headers: { accept: 'text/html' } })
}

import type { NoticeContent } from '@boxyard/ui'

/** The parameter of an address that says what the devbox was before. */
export const MIGRATED = 'migrateFrom'

/** The address of the devbox that a sandbox has become, at the same file. */
export function addressOfConverted(id: string, file: string | undefined): string {
  const query = new URLSearchParams({ [MIGRATED]: 'sandbox', ...(file === undefined ? {} : { file }) })
  return `/devbox/${encodeURIComponent(id)}?${query}`
}

/** What is said once at such an address. */
export function convertedNotice(search: string): NoticeContent | null {
  if (!new URLSearchParams(search).has(MIGRATED)) return null
  return {
    uniqueName: 'converted',
    tone: 'success',
    title: 'This is a devbox now',
    body: 'It has a machine with terminals and tasks. Its files, its people and its likes came along.',
    timeout: 10_000,
  }
}

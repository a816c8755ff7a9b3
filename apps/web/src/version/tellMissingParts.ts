import type { NoticeStore } from '@boxyard/ui'
import { isPageOutdated } from './pageBuild.ts'

export interface TellMissingPartsOptions {
  /** Where the build's imports say that a file did not come. */
  target?: Pick<EventTarget, 'addEventListener'>
  isOutdated?: () => Promise<boolean>
  reload?: () => void
}

/** Says what to do when a part of the page can't be loaded any more, since the server has a newer one. */
export function tellMissingParts(
  notices: Pick<NoticeStore, 'add'>,
  {
    target = window,
    isOutdated = isPageOutdated,
    reload = () => window.location.reload(),
  }: TellMissingPartsOptions = {},
): void {
  target.addEventListener('vite:preloadError', () => {
    // What fails for another reason is told by who wanted it.
    void isOutdated().then((yes) => {
      if (!yes) return
      notices.add({
        uniqueName: 'missing-part',
        tone: 'warning',
        title: 'A new version of Boxyard is there',
        body: 'This page is of an older one, and a part of it could not be loaded. Reload it to go on. What was saved is safe.',
        actions: [{ label: 'Reload', perform: reload }],
      })
    })
  })
}

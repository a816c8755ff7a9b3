import type { NoticeStore } from '@boxyard/ui'

/** Puts a link, or several on lines of their own, on the clipboard and says so; where the browser forbids it, the link is shown instead. */
export function copyLink(notices: NoticeStore, link: string): void {
  navigator.clipboard.writeText(link).then(
    () => notices.add({ uniqueName: 'link', tone: 'success', title: 'Link copied', body: link, timeout: 4_000 }),
    () => notices.add({ uniqueName: 'link', tone: 'warning', title: 'The browser did not allow copying', body: link }),
  )
}
